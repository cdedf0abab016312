import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'

export const onboardingSteps = 3

/** Answers as far as they go: unlike the preferences, none of them is required yet. */
const draftSchema = z.object({
  /** Whose answers these are: another person on the same device must not find them. */
  email: z.string(),
  step: z.number().int().min(1).max(onboardingSteps),
  answers: z.object({
    focusAreas: z.array(z.enum(focusAreas)).catch([]),
    aiLevel: z.enum(aiLevels).optional().catch(undefined),
    goals: z.array(z.enum(goals)).nullish().catch([]),
    franchiseType: z.enum(franchiseTypes).or(z.literal('')).nullish().catch(''),
  }),
})
export type OnboardingDraft = z.infer<typeof draftSchema>

const key = 'front-counter-onboarding'

export const emptyDraft = (email: string): OnboardingDraft => ({
  email,
  step: 1,
  answers: { focusAreas: [], aiLevel: undefined, goals: [], franchiseType: '' },
})

/** Null when there is nothing to go on with, or only something that this version did not write. */
export function parseDraft(stored: string | null): OnboardingDraft | null {
  if (stored === null) return null
  try {
    return draftSchema.parse(JSON.parse(stored))
  } catch {
    return null
  }
}

/*
 * Kept for the tab only: a reload in the middle of the wizard comes back to it with every answer, and nothing stays
 * behind on a shared computer.
 */
export const readDraft = () => parseDraft(sessionStorage.getItem(key))
export const saveDraft = (draft: OnboardingDraft) => sessionStorage.setItem(key, JSON.stringify(draft))
export const clearDraft = () => sessionStorage.removeItem(key)
