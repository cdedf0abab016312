import { expect, test } from 'vitest'
import { maskEmail } from './mask-email.ts'

test.each([
  ['ana@example.com', 'a…@example.com'],
  ['"a@b"@example.com', '"…@example.com'],
  ['@example.com', '…'],
  ['nonsense', '…'],
])('%s becomes %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})
