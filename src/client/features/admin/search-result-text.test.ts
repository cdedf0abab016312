import { expect, test } from 'vitest'
import { resultText } from './search-result-text.ts'

test('the count shows the number of results and whether there are more', () => {
  expect(resultText(1, false, '')).toBe('1 user')
  expect(resultText(1200, false, '')).toBe('1,200 users')
  expect(resultText(50, true, 'pat')).toBe('First 50 users matching “pat”')
  expect(resultText(0, false, 'x@')).toBe('No users matching “x@”')
})
