import { expect, test } from 'vitest'
import { parseTheme } from './theme.ts'

test('a stored theme is used', () => {
  expect(parseTheme('dark')).toBe('dark')
  expect(parseTheme('light')).toBe('light')
})

test('without a known stored theme, the system’s theme is used', () => {
  expect(parseTheme(null)).toBe('system')
  expect(parseTheme('sepia')).toBe('system')
})
