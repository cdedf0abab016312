import type { Feature } from '#server/feature.ts'
import { franchisorRulesCalls } from './franchisor-rules.calls.ts'

export const franchisorRulesFeature: Feature = {
  calls: franchisorRulesCalls,
}
