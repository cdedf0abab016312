import { z } from 'zod'
import type { mailingCounts } from '#server/db/schema/index.ts'
import type { pauseTexts } from '#shared/domain/mailing-alerts.ts'

/** Why a mailing rests. */
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

/** What went out and what came back of it, from the kept counts. */
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
 * Why a mailing must rest, judged by what happened since it was last resumed. A server that refuses most of what it is
 * given refuses us and not our readers: going on would write the whole audience off.
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
