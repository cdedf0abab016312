import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonTrigrams, selectiveParts } from './common-trigrams.ts'

const addresses = Array.from({ length: 100 }, (_, at) => `reader${at}@mail${at % 5}.example`)

describe('common trigrams of addresses', () => {
  test('are in at least a tenth of them, counted per word', () => {
    const common = commonTrigrams(addresses)
    expect(['rea', 'der', 'ail', 'il3', 'ple'].filter((three) => !common.has(three))).toEqual([])
    expect(['r17', '17@', '.ex', 'xyz'].filter((three) => common.has(three))).toEqual([])
  })

  test('are not computed from a few addresses', () => {
    expect(commonTrigrams(addresses.slice(0, 49)).size).toBe(0)
  })
})

describe('the parts of a term used for the index lookup', () => {
  const common = commonTrigrams(addresses)

  test('are those that few addresses contain, with the character next to them', () => {
    expect(selectiveParts('reader17@mail', common)).toEqual(['r17@'])
    expect(selectiveParts('ann@mail3.example', common)).toEqual(['ann@'])
    expect(selectiveParts('ann.reader.bob', common)).toEqual(['ann.', '.bob'])
  })

  test('are the whole term if none or all of it is common', () => {
    expect(selectiveParts('ann.smith@shop', common)).toEqual(['ann.smith@shop'])
    expect(selectiveParts('reader', common)).toEqual(['reader'])
    expect(selectiveParts('reader17', new Set())).toEqual(['reader17'])
  })

  test('keep the order of the term and never overlap, so that every match of the term contains them', () => {
    const piece = fc.constantFrom('rea', 'der', '17', '@', 'mail', '.', '%', '_', '😀', 'ß', 'x')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const term = pieces.join('')
        let rest = term
        for (const part of selectiveParts(term, common)) {
          expect(rest).toContain(part)
          rest = rest.slice(rest.indexOf(part) + part.length)
        }
      }),
    )
  })
})
