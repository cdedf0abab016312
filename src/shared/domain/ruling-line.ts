import { formatList } from './format.ts'
import type { RuleTopic, Ruling } from './franchisor-rules.ts'

const leads: Record<Ruling['rule'], string> = {
  forbidden: 'Forbidden by your rules',
  'ask-first': 'Ask your franchisor first',
  unknown: 'Find out first',
}

const topics: Record<RuleTopic, string> = {
  'allowed-tools': 'AI tools',
  'customer-data': 'customer data',
  'local-ads': 'local ads and posts',
  'brand-voice': 'the brand’s voice',
  manual: 'the operations manual',
}

/** "Ask your franchisor first: AI tools and customer data". */
export const rulingLine = (ruling: Ruling): string =>
  `${leads[ruling.rule]}: ${formatList(ruling.topics.map((topic) => topics[topic]))}`
