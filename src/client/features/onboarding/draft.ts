import { z } from 'zod'
import { onboardingDraftKey } from '#client/lib/session-storage.ts'
import { planKeys } from '#shared/domain/plans.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'

export const onboardingSteps = 3

/** A confirmation link is good for an hour; somebody who comes back the same evening still finds their answers. */
const maxAgeMs = 24 * 60 * 60 * 1000

/** Answers as far as they go: unlike the preferences, none of them is required yet. */
const draftSchema = z.object({
  /** Whose answers these are: another person on the same device must not find them. */
  email: z.string(),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  /** Chosen before the sign-up; its checkout follows the last step. */
  plan: z.enum(planKeys).nullable().catch(null),
  step: z.number().int().min(1).max(onboardingSteps),
  answers: z.object({
    focusAreas: z.array(z.enum(focusAreas)).catch([]),
    aiLevel: z.enum(aiLevels).optional().catch(undefined),
    goals: z.array(z.enum(goals)).nullish().catch([]),
    franchiseType: z.enum(franchiseTypes).or(z.literal('')).nullish().catch(''),
  }),
})
export type OnboardingDraft = z.infer<typeof draftSchema>

export const emptyDraft = (email: string, plan: OnboardingDraft['plan'], now = Date.now()): OnboardingDraft => ({
  email,
  savedAt: now,
  plan,
  step: 1,
  answers: { focusAreas: [], aiLevel: undefined, goals: [], franchiseType: '' },
})

export const isDraftOf = (draft: OnboardingDraft, email: string) => draft.email.toLowerCase() === email.toLowerCase()

/** Null when there is nothing to go on with, something too old, or something that this version did not write. */
export function parseDraft(stored: string | null, now = Date.now()): OnboardingDraft | null {
  if (stored === null) return null
  try {
    const draft = draftSchema.parse(JSON.parse(stored))
    return now - draft.savedAt < maxAgeMs ? draft : null
  } catch {
    return null
  }
}

/*
 * Kept for the browser, beside the session: a reload, another tab or a confirmation link comes back to the same step with
 * every answer. It goes with the last step, with signing out, and after a day.
 */
export const readDraft = () => parseDraft(localStorage.getItem(onboardingDraftKey))
export const saveDraft = (draft: OnboardingDraft) => localStorage.setItem(onboardingDraftKey, JSON.stringify(draft))
export const clearDraft = () => localStorage.removeItem(onboardingDraftKey)
