import { expect, test } from 'vitest'
import { splitAddresses } from './split-addresses.ts'

test.each([
  ['ana@example.com\nben@example.com\r\n\n', ['ana@example.com', 'ben@example.com']],
  ['Ana Silva <ana@example.com>, ben@example.com; ', ['ana@example.com', 'ben@example.com']],
  ['ana@example.com\tAustin', ['ana@example.com', 'Austin']],
  ['ana@example.com, ANA@example.com', ['ANA@example.com']],
  [' \n', []],
])('%j has %j', (text, expected) => {
  expect(splitAddresses(text)).toEqual(expected)
})
