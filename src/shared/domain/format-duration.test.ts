import { expect, test } from 'vitest'
import { formatDuration } from './format.ts'

test.each([
  [0, '0 min'],
  [20, '20 min'],
  [60, '1 hr'],
  [90, '1 hr 30 min'],
  [350, '5 hr 50 min'],
])('%i minutes read as %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})
