import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from '../domain/preferences.ts'

/** Each list is a set: sent twice, an option counts once. Longer lists than there are options are refused. */
const optionList = <const T extends readonly [string, ...string[]]>(options: T) =>
  z
    .array(z.enum(options))
    .max(options.length * 2)
    .transform((chosen) => [...new Set(chosen)])

/** What the onboarding wizard asks (spec §5): the form and the server parse with this one schema. */
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

/** How preferences look in the database and on the wire of `admin-users` (spec §3). */
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
