import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { franchisorRulesCall, setFranchisorRuleCall } from '#shared/contracts/reader/franchisor-rules.ts'
import { listRules, recordRule } from './record-rule.ts'

const franchisorRulesCalls = ({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>): Implementation[] => [
  implement(franchisorRulesCall, async (_input, who) => ({ rules: await listRules(db, who.userId) })),
  implement(setFranchisorRuleCall, (change, who) => recordRule(db, who.userId, change, clock())),
]

export const franchisorRulesFeature: Feature = {
  calls: franchisorRulesCalls,
}
