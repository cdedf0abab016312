import { publication } from '#client/lib/publication.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { staffChoices } from '#shared/domain/questions.ts'

/** Props of checkboxes for the options of a question. A retired option that is chosen stays until it is cleared. */
export function optionChoices(question: QuestionName, chosen: readonly string[]) {
  const choices = staffChoices(publication, question, chosen)
  return {
    words: choices.map(({ value }) => value),
    labels: Object.fromEntries(choices.map(({ value, label }) => [value, label])),
  }
}
