import type { ContentKind } from './content-items.ts'
import type { FranchiseTopic } from './content-labels.ts'

/** Topics that readers record their franchisor's rule for. The other franchise topics only inform. */
export const ruleTopics = [
  'allowed-tools',
  'customer-data',
  'local-ads',
  'brand-voice',
  'manual',
] as const satisfies readonly FranchiseTopic[]
export type RuleTopic = (typeof ruleTopics)[number]

/** From the weakest to the strictest. `unknown` is an answer too: the reader has to find out. */
export const franchisorRules = ['not-regulated', 'unknown', 'ask-first', 'forbidden'] as const
export type FranchisorRule = (typeof franchisorRules)[number]

/** A topic without a rule hasn't been answered, so it has no notice. */
export type RuleByTopic = Readonly<Partial<Record<RuleTopic, FranchisorRule>>>

/** Finds the strictest rule among an item's topics, and the topics that have it. */
export type Ruling = { rule: Exclude<FranchisorRule, 'not-regulated'>; topics: RuleTopic[] }

export type RuledItem = { kind: ContentKind; touches: readonly FranchiseTopic[] }

/** The topics of an item that have rules. Every prompt goes into an AI tool, whatever its body addresses. */
const ruleTopicsOf = ({ kind, touches }: RuledItem): RuleTopic[] =>
  ruleTopics.filter((topic) => touches.includes(topic) || (kind === 'prompt' && topic === 'allowed-tools'))

/** Null if no rule concerns the item. */
export function applyRules(item: RuledItem, rules: RuleByTopic): Ruling | null {
  const topics = ruleTopicsOf(item)
  const rule = (['forbidden', 'ask-first', 'unknown'] as const).find((candidate) =>
    topics.some((topic) => rules[topic] === candidate),
  )
  return rule ? { rule, topics: topics.filter((topic) => rules[topic] === rule) } : null
}

export const isForbidden = (item: RuledItem, rules: RuleByTopic): boolean =>
  applyRules(item, rules)?.rule === 'forbidden'

/**
 * The different sets of topics that an issue's sections touch; empty if one of them touches nothing. Enough to tell
 * whether a reader's rules forbid all of an issue.
 */
export function touchSetsOf(sections: readonly { touches: readonly FranchiseTopic[] }[]): FranchiseTopic[][] {
  const sets = new Map(sections.map(({ touches }) => [[...touches].sort().join(), [...touches].sort()]))
  return sets.has('') ? [] : [...sets.values()]
}

/** An issue is forbidden only if every section is: what is left of it is still worth reading. */
export const isIssueForbidden = (touchSets: readonly (readonly FranchiseTopic[])[], rules: RuleByTopic): boolean =>
  touchSets.length > 0 && touchSets.every((touches) => isForbidden({ kind: 'section', touches }, rules))
