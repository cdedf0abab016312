import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'

/** Options that no longer exist are ignored, because an email must not fail because of them. */
export const readerSchema = z.object({
  focusAreas: known(focusAreas),
  aiLevel: z.enum(aiLevels).nullable().catch(null),
  goals: known(goals),
  franchiseType: z.enum(franchiseTypes).nullable().catch(null),
  sections: z.array(z.number().int().nonnegative()).optional(),
}) satisfies z.ZodType<Reader>

/** In the order of the form. */
function known<const Word extends string>(offered: readonly Word[]) {
  return z.array(z.string()).transform((words) => offered.filter((word) => words.includes(word)))
}
