import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001:db8::1',
  'not an address',
])('%s is not on the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '172.32.0.1', '192.0.3.1', '2606:4700::1111', '2a00:1450:4001::1'])('%s is', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
