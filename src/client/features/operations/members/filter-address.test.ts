import { expect, test } from 'vitest'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { filterAddress, readFilterAddress } from './filter-address.ts'

test.each([
  {},
  { search: 'ann & co', statuses: ['active', 'trial'], plans: ['pro_yearly'], account: ['suppressed'] },
  {
    focusAreas: ['Customer Service'],
    goals: ['Reduce costs'],
    aiLevels: ['advanced'],
    franchiseTypes: ['Food & Beverage'],
  },
  { locations: { min: 2, max: null }, tags: ['met in reno'], noted: false },
  { locations: { min: 0, max: 0 }, engagement: { kind: 'signed_in', within: false, days: 90 }, joined: { days: 7 } },
  { joined: { from: '2026-01-01', to: null }, renews: { from: '2026-01-01', to: '2026-02-01' }, noted: true },
  {
    fields: [
      { field: 3, anyOf: ['small', 'large'] },
      { field: 4, min: -1.5, max: null },
      { field: 5, from: '2026-01-01', to: null },
      { field: 6, words: 'bread & butter' },
      { field: 6, filled: false },
    ],
  },
])('the address of %j leads back to the filter', (filter) => {
  const parsed = memberFilterSchema.parse(filter)
  expect(readFilterAddress(new URLSearchParams(filterAddress(parsed).toString()))).toEqual(parsed)
})

test('fields that aren’t valid are left out', () => {
  const query = new URLSearchParams('status=rich&joined=..&locations=9-2&tag=vip&engagement=slept-3')
  expect(readFilterAddress(query)).toEqual(memberFilterSchema.parse({ tags: ['vip'] }))
})
