import { expect, test } from 'vitest'
import { resultText } from './result-text.ts'

test('the count says what is shown and whether there is more', () => {
  expect(resultText(1, false, '')).toBe('1 user')
  expect(resultText(1200, false, '')).toBe('1,200 users')
  expect(resultText(50, true, 'pat')).toBe('First 50 users matching “pat”')
  expect(resultText(0, false, 'x@')).toBe('No users matching “x@”')
})
