import { z } from 'zod'
import type { mailingCounts } from '#server/db/schema/index.ts'
import type { pauseTexts } from '#shared/domain/mailing-alerts.ts'

/** Why a mailing paused automatically. */
export type AutomaticPause = keyof typeof pauseTexts

/** Rates of submitted emails above which a mailing pauses, after at least `minimum` have been submitted. */
const pauseThresholds = { hardBounces: 0.05, complaints: 0.003, minimum: 100 } as const

const feedbackTotalsSchema = z.object({
  submitted: z.number(),
  refused: z.number(),
  hardBounces: z.number(),
  complaints: z.number(),
})
type FeedbackTotals = z.infer<typeof feedbackTotalsSchema>

/** Totals of submitted, rejected, bounced and reported emails, from the mailing counts. */
export function feedbackTotals(
  counts: readonly Pick<typeof mailingCounts.$inferSelect, 'name' | 'cause' | 'value'>[],
): FeedbackTotals {
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
 * Why a mailing must pause, from the totals since it was last resumed. A server that rejects most emails is rejecting the
 * sender, not the readers; continuing would fail the whole audience.
 */
export function reasonToPause(now: FeedbackTotals, feedbackAtResume: unknown): AutomaticPause | null {
  const before = feedbackTotalsSchema.safeParse(feedbackAtResume).data
  const since = (name: keyof FeedbackTotals) => now[name] - (before?.[name] ?? 0)
  const submitted = since('submitted')
  if (since('refused') >= pauseThresholds.minimum && since('refused') > submitted) return 'transport'
  if (submitted < pauseThresholds.minimum) return null
  if (since('hardBounces') >= submitted * pauseThresholds.hardBounces) return 'bounces'
  if (since('complaints') >= submitted * pauseThresholds.complaints) return 'complaints'
  return null
}
