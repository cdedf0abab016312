import type { Draft } from '#shared/contracts/publishing/documents.ts'
import { offeredKeys, optionKeys, optionLabel, type Questions } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionName, questionNames } from '#shared/domain/questions.ts'
import { AppError } from '#shared/errors.ts'

/**
 * A text can be about options that are offered, and keeps retired ones that it had.
 * @throws AppError validation_failed
 */
export function requireOfferedOptions(publication: Questions, before: Draft, after: Draft): void {
  const [had, has] = [optionsIn(before), optionsIn(after)]
  for (const question of questionNames) requireOffered(publication, question, has[question], had[question])
}

/** @throws AppError validation_failed */
export function requireOffered(
  publication: Questions,
  question: QuestionName,
  keys: readonly string[],
  kept: readonly string[] = [],
): void {
  const offered = offeredKeys(publication, question, kept)
  const refused = keys.find((key) => !offered.includes(key) && !kept.includes(key))
  if (refused === undefined) return
  throw new AppError('validation_failed', {
    message: optionKeys(publication, question).includes(refused)
      ? `“${optionLabel(publication, question, refused)}” is retired, so it can’t be chosen anymore.`
      : `“${refused}” isn’t one of the options of ${questionName(publication, question)}.`,
  })
}

function optionsIn(draft: Draft): Record<QuestionName, string[]> {
  const sections = 'sections' in draft ? draft.sections : []
  const prompts = 'prompts' in draft ? draft.prompts : []
  const tags = 'tags' in draft ? draft.tags : []
  const levels = [...sections.map(({ aiLevel }) => aiLevel), ...prompts.map(({ level }) => level)]
  return {
    focusAreas: [...tags, ...[...sections, ...prompts].flatMap(({ focusAreas }) => focusAreas)],
    aiLevel: levels.filter((level) => level !== null),
    goals: sections.flatMap(({ goals }) => goals),
    franchiseType: sections.flatMap(({ franchiseTypes }) => franchiseTypes),
  }
}
