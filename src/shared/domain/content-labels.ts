/** Data that a prompt may be used with. */
export const dataLabels = ['none', 'ask-franchisor', 'data-agreement'] as const
export type DataLabel = (typeof dataLabels)[number]

export const dataLabelTexts: Record<DataLabel, string> = {
  none: 'No personal data',
  'ask-franchisor': 'Ask your franchisor first',
  'data-agreement': 'Only with a data agreement',
}

/** Matters between franchisee and franchisor that an item involves. */
export const franchiseTopics = [
  'approval',
  'brand-standards',
  'royalty-base',
  'territory',
  'field-visits',
  'fdd',
  'manual',
  'customer-data',
  'allowed-tools',
  'local-ads',
  'brand-voice',
] as const
export type FranchiseTopic = (typeof franchiseTopics)[number]

export const franchiseTopicLabels: Record<FranchiseTopic, string> = {
  approval: 'Approval',
  'brand-standards': 'Brand standards',
  'royalty-base': 'Royalty base',
  territory: 'Territory',
  'field-visits': 'Field visits',
  fdd: 'Franchise disclosure document',
  manual: 'Operations manual',
  'customer-data': 'Customer data',
  'allowed-tools': 'Allowed tools',
  'local-ads': 'Local advertising',
  'brand-voice': 'Brand voice',
}

/** Criteria by which every tool is judged. */
export const toolCriteria = ['dataTerms', 'priceClarity', 'phoneUse', 'export', 'teamControls'] as const
export type ToolCriterion = (typeof toolCriteria)[number]

export const toolCriterionLabels: Record<ToolCriterion, string> = {
  dataTerms: 'Data terms',
  priceClarity: 'Price clarity',
  phoneUse: 'Use on a phone',
  export: 'Export',
  teamControls: 'Team controls',
}
