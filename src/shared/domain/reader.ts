import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from './preferences.ts'

/**
 * What decides the order for a reader; a reader who has told nothing has no words and no level. An answer that is
 * offered no longer is left out rather than refused: a letter must not fail for it.
 */
export const readerSchema = z.object({
  focusAreas: known(focusAreas),
  aiLevel: z.enum(aiLevels).nullable().catch(null),
  goals: known(goals),
  franchiseType: z.enum(franchiseTypes).nullable().catch(null),
})
export type Reader = z.infer<typeof readerSchema>

export const unknownReader: Reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: null }

/** In the order in which the form offers them, whatever the order of the clicks. */
function known<const Word extends string>(offered: readonly Word[]) {
  return z.array(z.string()).transform((words) => offered.filter((word) => words.includes(word)))
}
