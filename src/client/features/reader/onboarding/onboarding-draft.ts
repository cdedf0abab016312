import { z } from 'zod'
import { publication } from '#client/lib/publication.ts'
import { onboardingDraftKey, onboardingDraftMaxAgeMs } from '#client/lib/stored-session.ts'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { everythingOnSale } from '#shared/domain/plans.ts'
import { offeredKeys } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { isAsked } from '#shared/domain/questions.ts'

const questionsOfSteps: readonly (readonly QuestionName[])[] = [['focusAreas'], ['aiLevel'], ['goals', 'franchiseType']]
/** The questions of each step. A step without a question that is asked is left out; there may be none. */
export const onboardingSteps = questionsOfSteps.filter((all) => all.some((question) => isAsked(publication, question)))

/** Unlike saved preferences, a draft may miss any answer. */
const draftSchema = z.object({
  /** The owner, so that another person on the same device does not see these answers. */
  email: z.string(),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  /** Chosen before sign-up; checkout follows the last step. Null if it is no longer sold. */
  plan: planKeySchema
    .nullable()
    .catch(null)
    .transform((key) => everythingOnSale(publication).find((plan) => plan.key === key)?.key ?? null),
  step: z.number().int().min(1).max(Math.max(1, onboardingSteps.length)),
  answers: z.object({
    focusAreas: offeredAnswers('focusAreas'),
    aiLevel: z
      .string()
      .refine(
        (key) => (key === '' && !isAsked(publication, 'aiLevel')) || offeredKeys(publication, 'aiLevel').includes(key),
      )
      .optional()
      .catch(undefined),
    goals: offeredAnswers('goals').nullish(),
    franchiseType: z
      .string()
      .refine((key) => offeredKeys(publication, 'franchiseType').includes(key))
      .nullish()
      .catch(''),
  }),
})
export type OnboardingDraft = z.infer<typeof draftSchema>

/** Removes options that were retired meanwhile. */
function offeredAnswers(question: QuestionName) {
  return z
    .array(z.string())
    .catch([])
    .transform((keys) => keys.filter((key) => offeredKeys(publication, question).includes(key)))
}

export const emptyDraft = (email: string, plan: OnboardingDraft['plan'], now = Date.now()): OnboardingDraft => ({
  email,
  savedAt: now,
  plan,
  step: 1,
  answers: { focusAreas: [], aiLevel: isAsked(publication, 'aiLevel') ? undefined : '', goals: [], franchiseType: '' },
})

export const isDraftOf = (draft: OnboardingDraft, email: string) => draft.email.toLowerCase() === email.toLowerCase()

/** Null if there is no draft, or it is too old or in an unknown format. */
export function parseDraft(stored: string | null, now = Date.now()): OnboardingDraft | null {
  if (stored === null) return null
  try {
    const draft = draftSchema.parse(JSON.parse(stored))
    return now - draft.savedAt < onboardingDraftMaxAgeMs ? draft : null
  } catch {
    return null
  }
}

/*
 * Kept in localStorage, so that a reload, another tab or a confirmation link returns to the same step and answers.
 * Cleared after the last step, on sign-out and after a day.
 */
export const readDraft = () => parseDraft(localStorage.getItem(onboardingDraftKey))
export const saveDraft = (draft: OnboardingDraft) => localStorage.setItem(onboardingDraftKey, JSON.stringify(draft))
export const clearDraft = () => localStorage.removeItem(onboardingDraftKey)
