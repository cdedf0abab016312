import { z } from 'zod'
import type { mailingCounts } from '#server/db/schema/index.ts'
import { pauseRules } from '#shared/contracts/newsletter.ts'
import type { pauseTexts } from '#shared/domain/mailing-alerts.ts'

/** Why a mailing rests. */
export type AutomaticPause = keyof typeof pauseTexts

const cameBackSchema = z.object({
  submitted: z.number(),
  refused: z.number(),
  hardBounces: z.number(),
  complaints: z.number(),
})
type CameBack = z.infer<typeof cameBackSchema>

/** What went out and what came back of it, from the kept counts. */
export function cameBack(
  counts: readonly Pick<typeof mailingCounts.$inferSelect, 'name' | 'cause' | 'value'>[],
): CameBack {
  const sumOf = (name: string, cause?: string) =>
    counts.reduce(
      (sum, row) => (row.name === name && (cause === undefined || row.cause === cause) ? sum + row.value : sum),
      0,
    )
  return {
    submitted: sumOf('submitted'),
    refused: sumOf('failed', 'refused'),
    hardBounces: sumOf('hard_bounces'),
    complaints: sumOf('complaints'),
  }
}

/**
 * Why a mailing must rest, judged by what happened since it was last resumed. A server that refuses most of what it is
 * given refuses us and not our readers: going on would write the whole audience off.
 */
export function reasonToPause(now: CameBack, feedbackAtResume: unknown): AutomaticPause | null {
  const before = cameBackSchema.safeParse(feedbackAtResume).data
  const since = (name: keyof CameBack) => now[name] - (before?.[name] ?? 0)
  const submitted = since('submitted')
  if (since('refused') >= pauseRules.enough && since('refused') > submitted) return 'transport'
  if (submitted < pauseRules.enough) return null
  if (since('hardBounces') >= submitted * pauseRules.hardBounces) return 'bounces'
  if (since('complaints') >= submitted * pauseRules.complaints) return 'complaints'
  return null
}
