import { useState } from 'react'
import type { z } from 'zod'
import { publication } from '#client/lib/publication.ts'
import { type Preferences, type preferencesSchema, preferencesSchemaOf } from '#shared/contracts/reader/preferences.ts'
import { inOptionOrder } from '#shared/domain/preferences.ts'
import { isAsked } from '#shared/domain/questions.ts'

/** Answers while editing: the AI level may not be chosen yet, optional answers may be missing. */
export type PreferenceAnswers = Omit<z.input<typeof preferencesSchema>, 'aiLevel'> & {
  aiLevel?: Preferences['aiLevel']
}

type Question = keyof Preferences

export type PreferenceQuestionProps = {
  answers: PreferenceAnswers
  errors: Partial<Record<Question, string>>
  onChange: (part: Partial<PreferenceAnswers>) => void
}

/** Radio inputs hold strings, so no franchise type is the empty string. */
export const toAnswers = (saved: Preferences | null): PreferenceAnswers => ({
  focusAreas: inOptionOrder(publication, 'focusAreas', saved?.focusAreas ?? []),
  aiLevel: saved?.aiLevel ?? (isAsked(publication, 'aiLevel') ? undefined : ''),
  goals: inOptionOrder(publication, 'goals', saved?.goals ?? []),
  franchiseType: saved?.franchiseType ?? '',
})

/** The errors of the answers, in the order of the questions. */
export const findErrors = (answers: PreferenceAnswers) =>
  (preferencesSchemaOf(publication).safeParse(answers).error?.issues ?? []).map(({ path, message }) => ({
    question: path[0] as Question,
    message,
  }))

/** Errors are shown from the first attempt to submit on. */
export function usePreferencesForm(initial: PreferenceAnswers) {
  const [answers, setAnswers] = useState(initial)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const errors = isSubmitted ? findErrors(answers) : []
  return {
    answers,
    /** Props of the questions. */
    questions: {
      answers,
      errors: Object.fromEntries(errors.map(({ question, message }) => [question, message])),
      onChange: (part: Partial<PreferenceAnswers>) => setAnswers((before) => ({ ...before, ...part })),
    } satisfies PreferenceQuestionProps,
    /** Returns the preferences, or the first error. */
    submit(): { preferences: Preferences } | { error: ReturnType<typeof findErrors>[number] } {
      setIsSubmitted(true)
      const [error] = findErrors(answers)
      return error ? { error } : { preferences: preferencesSchemaOf(publication).parse(answers) }
    },
    reset(next: PreferenceAnswers) {
      setAnswers(next)
      setIsSubmitted(false)
    },
  }
}
