import { expect, test } from 'vitest'
import { normalizeOldPath } from '#server/features/publishing/site-settings/redirects.ts'
import { sourceOfVisit } from '#server/features/publishing/visits/visit-source.ts'
import { trimTrailingSlashes } from '#server/http/trim-trailing-slashes.ts'

test.each([
  ['/drops/', '/drops'],
  ['/drops///', '/drops'],
  ['/a//b', '/a//b'],
  ['//', ''],
  ['', ''],
])('%s becomes %s', (path, trimmed) => expect(trimTrailingSlashes(path)).toBe(trimmed))

/** Far more than a request can have; a quadratic pattern takes minutes for it. */
const length = 400_000

test('a path of many slashes takes no longer than any other', { timeout: 20_000 }, () => {
  const path = `${'/'.repeat(length)}x`
  expect(trimTrailingSlashes(path)).toBe(path)
  expect(normalizeOldPath(path)).toBe(path)
})

test('neither does a link from a host of many names', { timeout: 20_000 }, () => {
  const referrer = `https://${'google.'.repeat(length / 7)}example1/`
  expect(sourceOfVisit(new URLSearchParams(), referrer, 'own.example')?.source).not.toBe('google')
  for (const host of ['www.google.com', 'google.de', 'www.google.co.uk', 'news.google.com.au'])
    expect(sourceOfVisit(new URLSearchParams(), `https://${host}/`, 'own.example')?.source).toBe('google')
})
