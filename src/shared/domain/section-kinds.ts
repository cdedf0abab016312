/** Kind of a section that stands alone. Steps of the lead have none. */
export const sectionKinds = ['prompt', 'number', 'tool', 'question', 'rule'] as const
export type SectionKind = (typeof sectionKinds)[number]

export const sectionKindLabels: Record<SectionKind, string> = {
  prompt: 'Prompt of the week',
  number: 'Number to check',
  tool: 'Tool note',
  question: 'Question for your franchisor',
  rule: 'Rule to know',
}
