import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from './preferences.ts'

/**
 * What decides the order for a reader; without preferences, empty lists. Options that no longer exist are
 * ignored, because an email must not fail because of them.
 */
export const readerSchema = z.object({
  focusAreas: known(focusAreas),
  aiLevel: z.enum(aiLevels).nullable().catch(null),
  goals: known(goals),
  franchiseType: z.enum(franchiseTypes).nullable().catch(null),
  /** In a follow-up, the positions of the sections that the reader is asked about, in this order. */
  sections: z.array(z.number().int().nonnegative()).optional(),
})
export type Reader = z.infer<typeof readerSchema>

export const unknownReader: Reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: null }

/** In the order of the form. */
function known<const Word extends string>(offered: readonly Word[]) {
  return z.array(z.string()).transform((words) => offered.filter((word) => words.includes(word)))
}
