import { z } from 'zod'
import { CallError } from '#client/lib/error-message.ts'
import type { Values } from '#shared/domain/business-profile.ts'

const values = z.record(z.string(), z.string())
const conflictBody = z.union([
  z.object({ conflicts: z.array(z.string()), values }),
  z
    .object({ conflicts: z.array(z.string()), location: z.object({ name: z.string(), values }) })
    .transform(({ conflicts, location }) => ({ conflicts, values: { ...location.values, name: location.name } })),
])

/** Reads what another tab or device saved meanwhile, and which fields differ from both; null for any other error. */
export function conflictOf(error: unknown): { conflicts: string[]; values: Values } | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return conflictBody.safeParse(error.body).data ?? null
}

/** Next to a field in conflict. */
export const conflictText = (theirs: string | undefined) =>
  theirs
    ? `Changed elsewhere to “${theirs.slice(0, 80)}”. Save again to use yours.`
    : 'Emptied elsewhere. Save again to use yours.'
