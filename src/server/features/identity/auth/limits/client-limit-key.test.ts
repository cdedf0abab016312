import { expect, test } from 'vitest'
import { limitKey } from './client-limit-key.ts'

test('addresses of one /64 share a key, in any notation', () => {
  const same = ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:DB8:1:2:0:0:0:7']
  expect(new Set(same.map(limitKey))).toEqual(new Set(['2001:db8:1:2']))
  expect(limitKey('2001:db8:1:3::1')).not.toBe(limitKey('2001:db8:1:2::1'))
  expect(limitKey('fe80::1%eth0')).toBe('fe80:0:0:0')
})

test('IPv4-mapped IPv6 addresses have separate keys', () => {
  expect(limitKey('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(limitKey('::ffff:cb00:7107')).toBe('203.0.113.7')
  expect(limitKey('203.0.113.7')).toBe('203.0.113.7')
  expect(limitKey('::ffff:203.0.113.8')).not.toBe(limitKey('::ffff:203.0.113.7'))
})
