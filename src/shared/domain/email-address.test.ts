import { expect, test } from 'vitest'
import { normalizeEmail } from './email-address.ts'

test.each([
  [' Ana@Example.COM ', 'ana@example.com'],
  ['ana@Bücher.example', 'ana@xn--bcher-kva.example'],
  ['ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
  ['ana@例え.test', 'ana@xn--r8jz45g.test'],
  ['ömil@example.com', 'ömil@example.com'],
  ['ana@bü cher.example', 'ana@bü cher.example'],
  ['ana@bücher.example/path', 'ana@bücher.example/path'],
  ['no address', 'no address'],
])('%j is stored as %j', (given, stored) => {
  expect(normalizeEmail(given)).toBe(stored)
})
