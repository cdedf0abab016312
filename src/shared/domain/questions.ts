import { aiLevels, focusAreas, franchiseTypes, goals, optionLabel, type Questions } from './preferences.ts'
import type { Question, QuestionName, QuestionOption } from './question-terms.ts'

/** In the order in which members are asked. */
export const questionNames = ['focusAreas', 'aiLevel', 'goals', 'franchiseType'] as const satisfies QuestionName[]

export const maxQuestionNameLength = 40
export const maxWordingLength = 120
export const maxQuestionHintLength = 200
export const maxOptionLabelLength = 60
export const maxDescriptionLength = 80
/** Options that are offered. More would be a list to search, not a question. */
export const maxOfferedOptions = 20
/** Includes retired options. Every page carries them. */
export const maxKnownOptions = 60

const options = (keys: readonly string[], descriptions: readonly string[] = []): QuestionOption[] =>
  keys.map((key, at) => ({
    key,
    label: key.charAt(0).toUpperCase() + key.slice(1),
    description: descriptions[at] ?? '',
    retired: false,
  }))

/** The questions of the specification, to the letter. */
export const questionDefaults: Readonly<Record<QuestionName, Question>> = {
  focusAreas: {
    name: 'Focus areas',
    wording: 'Where should we help first?',
    hint: 'Choose at least one. Matching content moves to the top; you still get everything.',
    options: options(focusAreas, [
      'Opening, closing, shifts, stock',
      'Local posts, offers, reviews',
      'Leads, estimates, follow-up',
      'Tools, setup, what to turn on',
      'Replies, complaints, regulars',
      'Costs, cash, royalty reports',
    ]),
  },
  aiLevel: {
    name: 'AI level',
    wording: 'How familiar are you with AI tools?',
    hint: '',
    options: options(aiLevels, ['Just getting started', 'Using AI tools regularly', 'Implementing AI solutions']),
  },
  goals: {
    name: 'Goals',
    wording: 'What are your goals?',
    hint: 'Optional. Choose as many as you like.',
    options: options(goals),
  },
  franchiseType: {
    name: 'Franchise type',
    wording: 'What kind of franchise do you run?',
    hint: 'Optional.',
    options: options(franchiseTypes),
  },
}

/** A question as the publisher asks it. */
export const questionOf = ({ questions }: Questions, question: QuestionName): Question =>
  questions[question] ?? questionDefaults[question]

/** True unless the publisher turned the question off. */
export const isAsked = ({ questions }: Questions, question: QuestionName): boolean => !questions[question]?.off

/** The options that a reader can choose, and those that they chose before. */
export const offeredOptions = (
  publication: Questions,
  question: QuestionName,
  kept: readonly string[],
): QuestionOption[] =>
  questionOf(publication, question).options.filter(({ key, retired }) => !retired || kept.includes(key))

/** The publisher's name for a question. @param unchanged what to say if it has the one of the specification */
export function questionName(
  publication: Questions,
  question: QuestionName,
  unchanged = questionDefaults[question].name,
): string {
  const { name } = questionOf(publication, question)
  return name === questionDefaults[question].name ? unchanged : name
}

/** For editors and staff: a retired option says so. */
export const staffLabel = (publication: Questions, question: QuestionName, key: string): string => {
  const retired = questionOf(publication, question).options.find((option) => option.key === key)?.retired
  return retired ? `${optionLabel(publication, question, key)} (retired)` : optionLabel(publication, question, key)
}

/** Options to choose from, as value and label, for editors and staff. */
export const staffChoices = (
  publication: Questions,
  question: QuestionName,
  kept: readonly string[],
): { value: string; label: string }[] =>
  offeredOptions(publication, question, kept).map(({ key }) => ({
    value: key,
    label: staffLabel(publication, question, key),
  }))

/** The key of the option with this label, or with this key: the label that the option had first. */
export function findOption(publication: Questions, question: QuestionName, text: string): string | undefined {
  const isSame = (other: string) => other.toLowerCase() === text.trim().toLowerCase()
  const { options: known } = questionOf(publication, question)
  return (known.find(({ label }) => isSame(label)) ?? known.find(({ key }) => isSame(key)))?.key
}
