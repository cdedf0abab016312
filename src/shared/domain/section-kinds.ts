/** What a section of an issue is if it stands alone. Steps of the lead have no kind. */
export const sectionKinds = ['prompt', 'number', 'tool', 'question', 'rule'] as const
export type SectionKind = (typeof sectionKinds)[number]

export const sectionKindLabels: Record<SectionKind, string> = {
  prompt: 'Prompt of the week',
  number: 'Number to check',
  tool: 'Tool note',
  question: 'Question for your franchisor',
  rule: 'Rule to know',
}
