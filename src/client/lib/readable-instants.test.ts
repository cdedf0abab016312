import { expect, test } from 'vitest'
import { readableInstants } from './readable-instants.ts'

test.each([
  ['Until: none → 2026-11-28T12:30:00.000Z', /^Until: none → Nov 2[78], 2026, \d/],
  ['Until: Nov 28, 2026', /^Until: Nov 28, 2026$/],
  ['2026-99-99T99:99:99Z', /^2026-99-99T99:99:99Z$/],
])('the instants in %j are shown as people read them', (text, words) => {
  expect(readableInstants(text)).toMatch(words)
})
