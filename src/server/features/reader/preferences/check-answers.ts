import { missingLevel, type Preferences } from '#shared/contracts/reader/preferences.ts'
import { offeredKeys, optionKeys, optionLabel, type Questions } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionNames, questionOf } from '#shared/domain/questions.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Members choose options that are offered, and keep retired ones that they chose before.
 * @throws AppError validation_failed with the answer to change
 */
export function checkAnswers(publication: Questions, answers: Preferences, before: Preferences | null): void {
  for (const question of questionNames) {
    const offered = offeredKeys(publication, question, before ? keysOf(before, question) : [])
    const refused = keysOf(answers, question).find((key) => !offered.includes(key))
    if (refused === undefined) continue
    const asSpecified = question === 'aiLevel' && !publication.questions.aiLevel
    if (asSpecified)
      throw new AppError('validation_failed', { message: missingLevel(publication), extra: { question } })
    const what = optionKeys(publication, question).includes(refused)
      ? `“${optionLabel(publication, question, refused)}” is no longer offered`
      : `“${refused}” isn’t one of the answers`
    throw new AppError('validation_failed', {
      message: `${what}. Choose again: ${questionOf(publication, question).wording}`,
      extra: { question },
    })
  }
}

function keysOf(answers: Preferences, question: QuestionName): readonly string[] {
  const value = answers[question]
  return typeof value === 'string' ? [value].filter(Boolean) : (value ?? [])
}
