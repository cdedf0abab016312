import type { Publication } from '../publication-defaults.ts'
import type { QuestionName, QuestionOption } from './question-terms.ts'

/* Options of the specification's questions, which publications start with. Each is its own key (decision 75). */
export const focusAreas = ['Operations', 'Marketing', 'Sales', 'Technology', 'Customer Service', 'Finance'] as const
export const aiLevels = ['beginner', 'intermediate', 'advanced'] as const
export const goals = [
  'Increase efficiency',
  'Reduce costs',
  'Improve customer experience',
  'Scale operations',
  'Stay competitive',
] as const
export const franchiseTypes = [
  'Food & Beverage',
  'Retail',
  'Services',
  'Health & Fitness',
  'Education',
  'Other',
] as const

const defaultKeys: Record<QuestionName, readonly string[]> = {
  focusAreas,
  aiLevel: aiLevels,
  goals,
  franchiseType: franchiseTypes,
}

/** The part of the publication that these functions read. */
export type Questions = Pick<Publication, 'questions'>

/** In the publisher's order, with retired ones. */
const optionsOf = (
  { questions }: Questions,
  question: QuestionName,
): readonly Pick<QuestionOption, 'key' | 'label' | 'retired'>[] =>
  questions[question]?.options ??
  defaultKeys[question].map((key) => ({ key, label: key.charAt(0).toUpperCase() + key.slice(1), retired: false }))

/** Keys of the options that can be chosen, and of those in `kept`. */
export const offeredKeys = (publication: Questions, question: QuestionName, kept: readonly string[] = []): string[] =>
  optionsOf(publication, question).flatMap(({ key, retired }) => (retired && !kept.includes(key) ? [] : key))

/** Keys of all options, retired ones included. */
export const optionKeys = (publication: Questions, question: QuestionName): string[] =>
  optionsOf(publication, question).map(({ key }) => key)

/** Keys in the publisher's order. Those that no option has are left out. */
export const inOptionOrder = (publication: Questions, question: QuestionName, keys: readonly string[]): string[] =>
  optionKeys(publication, question).filter((key) => keys.includes(key))

/** The label that readers see. A page that is older than the option has no label for it. */
export const optionLabel = (publication: Questions, question: QuestionName, key: string): string =>
  optionsOf(publication, question).find((option) => option.key === key)?.label ?? key

export const optionLabels = (publication: Questions, question: QuestionName, keys: readonly string[]): string[] =>
  keys.map((key) => optionLabel(publication, question, key))
