import { z } from 'zod'
import {
  isOptionKey,
  optionKeySchema,
  optionKeysSchema,
  optionKeysSchemaOf,
} from '#shared/contracts/reader/option-key.ts'
import type { Questions } from '#shared/domain/preferences.ts'

const missingArea = ({ questions }: Questions) =>
  questions.focusAreas ? 'Select at least one answer' : 'Select at least one focus area'
export const missingLevel = ({ questions }: Questions) =>
  questions.aiLevel ? 'Please select an answer' : 'Please select your AI familiarity level'

/** Onboarding answers, as keys of options. The form and the server share this schema; the server checks the options. */
export const preferencesSchema = preferencesSchemaOf({ questions: {} })

/** Says what is missing without the specification's words for a question that the publisher changed. */
export function preferencesSchemaOf(publication: Questions) {
  const { focusAreas, aiLevel } = publication.questions
  return schemaWith(publication, { focusAreas: focusAreas?.off ?? false, aiLevel: aiLevel?.off ?? false })
}

/** @param off questions that needn't have an answer */
function schemaWith(publication: Questions, off: { focusAreas: boolean; aiLevel: boolean }) {
  return z.object({
    focusAreas: optionKeysSchemaOf(missingArea(publication)).refine((chosen) => off.focusAreas || chosen.length > 0, {
      error: missingArea(publication),
    }),
    aiLevel: z
      .string({ error: missingLevel(publication) })
      .refine((key) => (off.aiLevel && key === '') || isOptionKey(key), {
        error: missingLevel(publication),
      }),
    goals: optionKeysSchema.nullish().transform((chosen) => chosen ?? []),
    franchiseType: optionKeySchema
      .nullish()
      .or(z.literal('').transform(() => null))
      .transform((chosen) => chosen ?? null),
  })
}

/** Answers as they are stored: a question that was off has none. */
export const savedPreferencesSchema = schemaWith({ questions: {} }, { focusAreas: true, aiLevel: true })

export type Preferences = z.infer<typeof preferencesSchema>

/** Format in the database and in `admin-users` responses. */
export const storedPreferencesSchema = z.object({
  focus_areas: z.array(optionKeySchema),
  ai_level: optionKeySchema.or(z.literal('')),
  goals: z.array(optionKeySchema),
  franchise_type: optionKeySchema.nullable(),
})
export type StoredPreferences = z.infer<typeof storedPreferencesSchema>

export const toStored = (preferences: Preferences): StoredPreferences => ({
  focus_areas: preferences.focusAreas,
  ai_level: preferences.aiLevel,
  goals: preferences.goals,
  franchise_type: preferences.franchiseType,
})

export const fromStored = (stored: StoredPreferences): Preferences => ({
  focusAreas: stored.focus_areas,
  aiLevel: stored.ai_level,
  goals: stored.goals,
  franchiseType: stored.franchise_type,
})
