import { useQueryClient } from '@tanstack/react-query'
import { fieldQuery } from '#client/lib/calls.ts'
import { changeInstant } from '#client/lib/change-instant.ts'
import { updateMarkedRules } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import {
  franchisorRulesCall,
  type RecordedRule,
  setFranchisorRuleCall,
} from '#shared/contracts/reader/franchisor-rules.ts'
import type { RuleTopic } from '#shared/domain/franchisor-rules.ts'
import { ruleTopicTexts } from '#shared/domain/rule-texts.ts'

export const franchisorRulesQuery = fieldQuery(['franchisor-rules'], franchisorRulesCall, {}, 'rules')

type RuleChange = Partial<Pick<RecordedRule, 'rule' | 'note' | 'saidOn'>>

/** Records a change of a topic's rule, also offline. Pages that apply it change at once. */
export function useRecordRule() {
  const queryClient = useQueryClient()
  return async (topic: RuleTopic, change: RuleChange): Promise<RecordedRule> => {
    void queryClient.cancelQueries({ queryKey: franchisorRulesQuery.queryKey })
    // From the cache, because two fields may change before the page renders again.
    const before = queryClient.getQueryData(franchisorRulesQuery.queryKey) ?? []
    const stored = before.find((rule) => rule.topic === topic)
    const at = changeInstant(stored?.at)
    const recorded = { rule: 'unknown', note: '', saidOn: null, ...stored, ...change, topic, at } as const
    const others = before.filter((rule) => rule.topic !== topic)
    queryClient.setQueryData(franchisorRulesQuery.queryKey, [...others, recorded])
    updateMarkedRules(queryClient, { [topic]: recorded.rule })
    const label = `Franchisor’s rule: ${ruleTopicTexts[topic].label}`
    await sendLater(setFranchisorRuleCall, recorded, { label, key: topic })
    return recorded
  }
}
