import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonTrigrams, selectiveParts } from './common-trigrams.ts'

const addresses = Array.from({ length: 100 }, (_, at) => `reader${at}@mail${at % 5}.example`)

describe('what is common among addresses', () => {
  test('is in at least every tenth of them, in a word', () => {
    const common = commonTrigrams(addresses)
    expect(['rea', 'der', 'ail', 'il3', 'ple'].filter((three) => !common.has(three))).toEqual([])
    expect(['r17', '17@', '.ex', 'xyz'].filter((three) => common.has(three))).toEqual([])
  })

  test('is not told from a handful', () => {
    expect(commonTrigrams(addresses.slice(0, 49)).size).toBe(0)
  })
})

describe('the parts of a term that are looked up', () => {
  const common = commonTrigrams(addresses)

  test('are those that not everybody has, with the sign at their edge', () => {
    expect(selectiveParts('reader17@mail', common)).toEqual(['r17@'])
    expect(selectiveParts('ann@mail3.example', common)).toEqual(['ann@'])
    expect(selectiveParts('ann.reader.bob', common)).toEqual(['ann.', '.bob'])
  })

  test('are the term itself where nothing is common, or all of it', () => {
    expect(selectiveParts('ann.smith@shop', common)).toEqual(['ann.smith@shop'])
    expect(selectiveParts('reader', common)).toEqual(['reader'])
    expect(selectiveParts('reader17', new Set())).toEqual(['reader17'])
  })

  test('stand in the term in their order and never overlap, so whatever holds the term holds them', () => {
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
