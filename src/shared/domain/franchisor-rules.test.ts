import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { franchiseTopics } from './content-labels.ts'
import {
  applyRules,
  franchisorRules,
  isForbidden,
  isIssueForbidden,
  type RuleByTopic,
  ruleTopics,
  touchSetsOf,
} from './franchisor-rules.ts'

const kinds = fc.constantFrom('section', 'prompt', 'guide', 'tool')
const item = fc.record({ kind: kinds, touches: fc.uniqueArray(fc.constantFrom(...franchiseTopics)) })
const rule = fc.constantFrom(...franchisorRules)
const rules: fc.Arbitrary<RuleByTopic> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...ruleTopics), rule), {
    selector: ([topic]) => topic,
  })
  .map((pairs) => Object.fromEntries(pairs))
const strictness = (ruling: ReturnType<typeof applyRules>) =>
  franchisorRules.indexOf(ruling?.rule ?? ('not-regulated' as never))

describe('the rules for an item', () => {
  test('the strictest rule among its topics decides, and the topics that have it are named', () => {
    const touches = ['customer-data', 'manual', 'allowed-tools'] as const
    const given = { 'customer-data': 'forbidden', manual: 'forbidden', 'allowed-tools': 'ask-first' } as const
    expect(applyRules({ kind: 'section', touches }, given)).toEqual({
      rule: 'forbidden',
      topics: ['customer-data', 'manual'],
    })
  })

  test('nothing is said where the topics are not regulated, not answered, or have no rules', () => {
    expect(
      applyRules({ kind: 'tool', touches: ['allowed-tools', 'manual'] }, { 'allowed-tools': 'not-regulated' }),
    ).toBe(null)
    expect(applyRules({ kind: 'section', touches: ['royalty-base'] }, { manual: 'forbidden' })).toBe(null)
  })

  test('a prompt goes into an AI tool, whatever its body addresses', () => {
    expect(applyRules({ kind: 'prompt', touches: [] }, { 'allowed-tools': 'forbidden' })?.rule).toBe('forbidden')
    expect(applyRules({ kind: 'section', touches: [] }, { 'allowed-tools': 'forbidden' })).toBe(null)
  })

  test('a topic that the reader doesn’t know about is to be found out', () => {
    expect(applyRules({ kind: 'guide', touches: ['manual'] }, { manual: 'unknown' })?.rule).toBe('unknown')
  })

  test('an item never gets a weaker rule by touching more, or by a stricter answer', () => {
    fc.assert(
      fc.property(item, rules, fc.constantFrom(...ruleTopics), (one, given, topic) => {
        const before = strictness(applyRules(one, given))
        const more = { ...one, touches: [...new Set([...one.touches, topic])] }
        expect(strictness(applyRules(more, given))).toBeGreaterThanOrEqual(before)
        expect(strictness(applyRules(one, { ...given, [topic]: 'forbidden' }))).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  test('the order in which topics are listed changes nothing', () => {
    fc.assert(
      fc.property(item, rules, (one, given) => {
        const reversed = { ...one, touches: one.touches.toReversed() }
        expect(applyRules(reversed, given)).toEqual(applyRules(one, given))
      }),
    )
  })
})

describe('hiding what the rules forbid', () => {
  test('a drop is hidden exactly if every one of its sections is', () => {
    const section = item.map(({ touches }) => ({ kind: 'section' as const, touches }))
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 8 }), rules, (sections, given) => {
        const all = sections.every((one) => isForbidden(one, given))
        expect(isIssueForbidden(touchSetsOf(sections), given)).toBe(all)
      }),
    )
  })
})
