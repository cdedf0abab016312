import { expect, test } from 'vitest'
import { parseTheme } from './theme.ts'

test('a stored choice is taken as it is', () => {
  expect(parseTheme('dark')).toBe('dark')
  expect(parseTheme('light')).toBe('light')
})

test('nothing stored, or something unknown, follows the system', () => {
  expect(parseTheme(null)).toBe('system')
  expect(parseTheme('sepia')).toBe('system')
})
