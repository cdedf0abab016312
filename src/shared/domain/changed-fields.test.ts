import { expect, test } from 'vitest'
import { changesBetween } from './changed-fields.ts'

test('only differences are listed, nested members by their path', () => {
  const before = { zone: 'UTC', limits: { perHour: 5, warmUp: null }, tracking: false, reply: '' }
  const after = { zone: 'UTC', limits: { perHour: null, warmUp: { firstDay: 200 } }, tracking: true, reply: 'a@b.com' }
  expect(changesBetween(before, after)).toEqual([
    { field: 'limits.perHour', before: '5', after: null },
    { field: 'limits.warmUp.firstDay', before: null, after: '200' },
    { field: 'reply', before: null, after: 'a@b.com' },
    { field: 'tracking', before: 'false', after: 'true' },
  ])
  expect(changesBetween(after, after)).toEqual([])
})

test('an array is compared as one value', () => {
  expect(changesBetween({ order: ['a', 'b'] }, { order: ['b', 'a'] })).toEqual([
    { field: 'order', before: 'a, b', after: 'b, a' },
  ])
})
