import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOfVisit } from './visit-source.ts'

const from = (query: string, referrer?: string) =>
  sourceOfVisit(new URLSearchParams(query), referrer, 'letters.example')

test.each([
  ['', undefined, { source: 'direct', campaign: '' }],
  ['', 'https://www.google.de/search?q=close', { source: 'google', campaign: '' }],
  ['', 'https://www.trade-news.example/a', { source: 'trade-news.example', campaign: '' }],
  ['utm_source=Podcast&utm_campaign=May%20offer', 'https://t.co/x', { source: 'podcast', campaign: 'may offer' }],
  ['ref=ann', undefined, { source: 'ann', campaign: '' }],
  ['', 'https://letters.example/drops', null],
  ['utm_source=podcast', 'https://letters.example/drops', { source: 'podcast', campaign: '' }],
  ['', 'not an address', { source: 'direct', campaign: '' }],
])('“%s” from %s', (query, referrer, source) => {
  expect(from(query, referrer)).toEqual(source)
})

test('whatever the address says, the source is one short line without markup', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300 }), (source, campaign) => {
      const found = sourceOfVisit(
        new URLSearchParams({ utm_source: source, utm_campaign: campaign }),
        source,
        'a.example',
      )
      for (const text of [found?.source ?? '', found?.campaign ?? '']) {
        expect(text.length).toBeLessThanOrEqual(60)
        expect(text).not.toMatch(/[<>"'\n\0=]/)
      }
    }),
  )
})
