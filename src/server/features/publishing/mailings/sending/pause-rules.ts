import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { type mailingCounts, mailings } from '#server/db/schema/index.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { Email } from '#server/mail/mailer.ts'
import { mailingNotSentEmail, mailingPausedEmail } from '#server/mail/texts/publisher-emails.ts'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import type { pauseTexts } from '#shared/domain/mailing-alerts.ts'
import type { MailingRow, SendingDeps } from './mailing-row.ts'

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

type AlertDeps = Pick<SendingDeps, 'config' | 'clock' | 'enqueue'>
/** The part of a locked row that is needed here. */
type Locked = Pick<MailingRow, 'id' | 'kind' | 'subject' | 'scheduledAt'>

/** Turns a mailing that can't be sent back into a draft and emails the publisher, in one transaction. */
export async function revertToDraft(
  tx: Tx,
  deps: AlertDeps,
  mailing: Locked,
  { reason, errors }: Pick<SendFailure, 'reason' | 'errors'>,
): Promise<void> {
  const now = deps.clock()
  const scheduledAt = mailing.scheduledAt?.toISOString() ?? null
  const sendFailure: SendFailure = { reason, errors, scheduledAt, at: now.toISOString() }
  const [held] = await tx
    .update(mailings)
    .set({ ...unfreeze(mailing), status: 'draft', sendFailure, version: sql`${mailings.version} + 1`, updatedAt: now })
    .where(and(eq(mailings.id, mailing.id), inArray(mailings.status, ['scheduled', 'preparing'])))
    .returning({ id: mailings.id })
  if (!held) return
  const { timeZone } = await readSendingSettings(tx)
  await alertAdmins(tx, deps, (to) =>
    mailingNotSentEmail({
      to,
      id: mailing.id,
      subject: mailing.subject,
      sendFailure,
      timeZone,
      config: deps.config,
    }),
  )
}

/** A draft shows what is published now. News keeps its own text. */
export const unfreeze = ({ kind }: Pick<MailingRow, 'kind'>): Partial<typeof mailings.$inferInsert> => ({
  scheduledAt: null,
  waitsForVersion: null,
  frozenAt: null,
  acceptedErrors: null,
  pauseReason: null,
  ...((kind === 'issue' || kind === 'digest') && { content: null }),
})

/** Runs in the transaction that pauses the mailing, so that each pause sends one alert. */
export async function emailPauseAlert(
  tx: Tx,
  deps: AlertDeps,
  mailing: Pick<MailingRow, 'id' | 'subject'>,
  reason: AutomaticPause,
): Promise<void> {
  await alertAdmins(tx, deps, (to) =>
    mailingPausedEmail({ to, id: mailing.id, subject: mailing.subject, reason, config: deps.config }),
  )
}

async function alertAdmins(tx: Tx, { clock, enqueue }: AlertDeps, compose: (to: string) => Email): Promise<void> {
  for (const to of await listAdminEmails(tx, clock(), ['owner', 'editor'])) await enqueue(tx, emailJob, compose(to))
}
