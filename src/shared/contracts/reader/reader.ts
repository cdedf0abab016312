import { z } from 'zod'
import { inOptionOrder, type Questions } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'

export const readerSchema = z.object({
  focusAreas: z.array(z.string()),
  aiLevel: z.string().nullable().catch(null),
  goals: z.array(z.string()),
  franchiseType: z.string().nullable().catch(null),
  sections: z.array(z.number().int().nonnegative()).optional(),
}) satisfies z.ZodType<Reader>

/**
 * Reads stored facts, with answers in the order of the form. Options that no longer exist are ignored, because an email
 * must not fail because of them.
 */
export function parseReader(publication: Questions, stored: unknown): Reader {
  const reader = readerSchema.parse(stored)
  return {
    ...reader,
    focusAreas: inOptionOrder(publication, 'focusAreas', reader.focusAreas),
    aiLevel: inOptionOrder(publication, 'aiLevel', [reader.aiLevel ?? ''])[0] ?? null,
    goals: inOptionOrder(publication, 'goals', reader.goals),
    franchiseType: inOptionOrder(publication, 'franchiseType', [reader.franchiseType ?? ''])[0] ?? null,
  }
}
