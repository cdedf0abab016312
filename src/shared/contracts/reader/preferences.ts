import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'

/** Removes duplicates. Rejects lists longer than twice the number of options. */
const optionList = <const T extends readonly [string, ...string[]]>(options: T) =>
  z
    .array(z.enum(options))
    .max(options.length * 2)
    .transform((chosen) => [...new Set(chosen)])

/** Onboarding answers. The form and the server share this schema. */
export const preferencesSchema = z.object({
  focusAreas: optionList(focusAreas).refine((chosen) => chosen.length > 0, 'Select at least one focus area'),
  aiLevel: z.enum(aiLevels, { error: 'Please select your AI familiarity level' }),
  goals: optionList(goals)
    .nullish()
    .transform((chosen) => chosen ?? []),
  franchiseType: z
    .enum(franchiseTypes)
    .nullish()
    .or(z.literal('').transform(() => null))
    .transform((chosen) => chosen ?? null),
})
export type Preferences = z.infer<typeof preferencesSchema>

/** Format in the database and in `admin-users` responses. */
export const storedPreferencesSchema = z.object({
  focus_areas: z.array(z.enum(focusAreas)),
  ai_level: z.enum(aiLevels),
  goals: z.array(z.enum(goals)),
  franchise_type: z.enum(franchiseTypes).nullable(),
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
