import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aiLevels, focusAreas } from '#shared/domain/preferences.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { kindsOfGroup, resultGroups } from './result-groups.ts'
import { fromSearchParams, toSearchParams } from './search-address.ts'

const some = <Value extends string>(values: readonly Value[]) => fc.subarray([...values])

test('every search comes back from its address', () => {
  const filters = fc.record({
    kinds: some(resultGroups).map((groups) => groups.flatMap((group) => kindsOfGroup[group])),
    focusAreas: some(focusAreas),
    levels: some(aiLevels),
    verticals: some(verticals),
    saved: fc.boolean(),
    tried: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.string(), filters, (query, given) => {
      const params = new URLSearchParams(toSearchParams(query, given).toString())
      expect(fromSearchParams(params)).toEqual({ query, filters: given })
    }),
  )
})

test('an address with unknown values is a search without them', () => {
  expect(fromSearchParams(new URLSearchParams('in=x&area=Marketing&area=Nope&level=9&saved=1'))).toEqual({
    query: '',
    filters: { kinds: [], focusAreas: ['Marketing'], levels: [], verticals: [], saved: false, tried: false },
  })
})
