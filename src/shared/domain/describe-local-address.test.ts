import { expect, test } from 'vitest'
import { describeLocalAddress } from './describe-local-address.ts'

test.each(['::1', '127.0.0.1', '127.8.8.8', '::ffff:127.0.0.1'])('%s is this computer', (address) => {
  expect(describeLocalAddress(address)).toBe('this computer')
})

test.each([
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.20',
  '169.254.3.4',
  '100.64.0.9',
  '::ffff:192.168.0.7',
  'fd12:3456::1',
  'FE80::1',
])('%s is on a local network', (address) => {
  expect(describeLocalAddress(address)).toBe('a local network')
})

test.each(['203.0.113.9', '172.32.0.1', '192.169.0.1', '100.128.0.1', '2001:db8::1', 'fec0::1', ''])(
  '%s is shown as it is',
  (address) => {
    expect(describeLocalAddress(address)).toBeNull()
  },
)
