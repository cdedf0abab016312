import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from './preferences.ts'

/**
 * The preferences that decide the order for a reader; empty without preferences. Options that no longer exist are
 * ignored, because an email must not fail because of them.
 */
export const readerSchema = z.object({
  focusAreas: known(focusAreas),
  aiLevel: z.enum(aiLevels).nullable().catch(null),
  goals: known(goals),
  franchiseType: z.enum(franchiseTypes).nullable().catch(null),
})
export type Reader = z.infer<typeof readerSchema>

export const unknownReader: Reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: null }

/** In the order of the form. */
function known<const Word extends string>(offered: readonly Word[]) {
  return z.array(z.string()).transform((words) => offered.filter((word) => words.includes(word)))
}
