import { expect, test } from 'vitest'
import { clientAddress } from './request-context.ts'

test('without trusted proxies, the socket’s address is used and the header ignored', () => {
  expect(clientAddress(0, '1.2.3.4', '::ffff:10.0.0.9')).toBe('10.0.0.9')
})

test('behind a proxy, the address that it appended is used, not the client’s entries', () => {
  expect(clientAddress(1, '6.6.6.6, 203.0.113.7', '10.0.0.1')).toBe('203.0.113.7')
  expect(clientAddress(2, '6.6.6.6, 203.0.113.7, 10.0.0.2', '10.0.0.1')).toBe('203.0.113.7')
})

test('with a short or invalid header, the socket’s address is used', () => {
  expect(clientAddress(2, '203.0.113.7', '10.0.0.1')).toBe('10.0.0.1')
  expect(clientAddress(1, '<script>', '10.0.0.1')).toBe('10.0.0.1')
})

test.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8:1::7]:443', '2001:db8:1::7'],
  ['[2001:db8:1::7]', '2001:db8:1::7'],
  ['"[2001:db8:1::7]:4711"', '2001:db8:1::7'],
  ['2001:db8:1::7', '2001:db8:1::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['203.0.113.7:', '10.0.0.1'],
  ['203.0.113', '10.0.0.1'],
  ['1.2.3.4:5:6', '10.0.0.1'],
  ['unknown', '10.0.0.1'],
])('a proxy that writes %s means %s', (hop, address) => {
  expect(clientAddress(1, `6.6.6.6, ${hop}`, '10.0.0.1')).toBe(address)
})
