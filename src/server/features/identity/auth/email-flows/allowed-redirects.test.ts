import { describe, expect, test } from 'vitest'
import { resolveRedirect } from './allowed-redirects.ts'

const production = {
  siteUrl: 'https://frontcounter.example',
  allowList: ['https://*.preview.example/auth', 'https://docs.example/**', 'fc-app://callback'],
}
const sandbox = { siteUrl: 'http://localhost:3000', allowList: [] }

describe('a redirect is followed if it points to', () => {
  test.each([
    [production, 'https://frontcounter.example/portal?from=mail#top'],
    [production, 'https://a-b.preview.example/auth'],
    [production, 'https://docs.example/x/y.z?q=1'],
    [production, 'fc-app://callback'],
    [sandbox, 'http://localhost:5173/portal'],
  ])('%o to %s', (rules, asked) => {
    expect(resolveRedirect(rules, asked)).toBe(asked)
  })
})

describe('a redirect falls back to the site if it is', () => {
  test.each([
    [production, undefined],
    [production, ''],
    [production, 'not a url'],
    [production, '/portal'],
    [production, '//evil.example'],
    [production, 'http://frontcounter.example/'],
    [production, 'https://frontcounter.example:8443/'],
    [production, 'https://frontcounter.example.evil.example/'],
    [production, 'https://evil.example/#https://docs.example/x'],
    [production, 'https://frontcounter.example@evil.example/'],
    [production, 'https://evil.example\\@frontcounter.example/'],
    [production, 'https://a.b.preview.example/auth'],
    [production, 'https://x.preview.example/auth/more'],
    [production, 'https://192.168.0.1/'],
    [production, 'javascript:alert(1)'],
    [production, 'data:text/html,x'],
    [sandbox, 'http://2130706433:3000/'],
    [sandbox, 'http://0x7f.1:3000/'],
    [sandbox, 'http://127.0.0.1:3000/'],
    [sandbox, 'https://localhost:3000/'],
    [{ siteUrl: 'http://127.0.0.1:3000', allowList: ['**'] }, 'http://2130706433/'],
    [{ siteUrl: 'http://127.0.0.1:3000', allowList: ['**'] }, 'javascript:alert(1)'],
  ])('%o %s', (rules, asked) => {
    expect(resolveRedirect(rules, asked)).toBe(rules.siteUrl)
  })
})

test('an allowed page that sent the request takes precedence over the site', () => {
  expect(resolveRedirect(production, 'https://evil.example/', 'https://docs.example/login')).toBe(
    'https://docs.example/login',
  )
  expect(resolveRedirect(production, 'https://evil.example/', 'https://evil.example/login')).toBe(production.siteUrl)
})
