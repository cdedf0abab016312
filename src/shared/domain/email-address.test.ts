import { expect, test } from 'vitest'
import { isEmailAddress, normalizeEmail } from './email-address.ts'

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

test.each([
  'ana@пример.рф',
  'sales@xn--e1afmkfd.xn--p1ai',
  'li@例え.テスト',
  'li@例え。テスト',
  'kim@xn--9n2bp8q.xn--9t4b11yi5a',
  'jo@bücher.example',
  "o'hara@example.com",
  'a&b/c=d#e!f@example.com',
  '$%*+-/=?^_`{|}~@example.com',
  'x@a-b.c.example',
])('%s is an address', (address) => {
  expect(isEmailAddress(normalizeEmail(address))).toBe(true)
})

test.each([
  '',
  'ana',
  '@example.com',
  'ana@',
  'ana@localhost',
  'ana@127.0.0.1',
  'ana@１２７.0.0.1',
  'ana@[127.0.0.1]',
  'ana@-a.example',
  'ana@a..example',
  'ana@example.com.',
  '.ana@example.com',
  'an..a@example.com',
  'ana@b@example.com',
  'ana b@example.com',
  '"ana"@example.com',
  'ana,b@example.com',
  'ömil@example.com',
  'ana@exam_ple.com',
  'ana@example.com\nBcc: b@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ana@${'a.'.repeat(125)}example`,
])('%j is no address', (address) => {
  expect(isEmailAddress(normalizeEmail(address))).toBe(false)
})
