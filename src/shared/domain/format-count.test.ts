import { expect, test } from 'vitest'
import { formatAll, formatCount } from './format-count.ts'

test('a count of one has the singular, and isn’t “all”', () => {
  expect(formatCount(0, 'file')).toBe('0 files')
  expect(formatCount(1, 'file')).toBe('1 file')
  expect(formatCount(2310, 'delivery', 'deliveries')).toBe('2,310 deliveries')
  expect(`Change ${formatAll(1, 'member')}`).toBe('Change 1 member')
  expect(`Change ${formatAll(2, 'member')}`).toBe('Change all 2 members')
})
