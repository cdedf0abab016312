import { and, eq, isNull, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { mailingCounts, mailings } from '#server/db/schema/index.ts'
import { requireNewsletterInUse } from '#server/features/publishing/newsletters/read-newsletters.ts'
import type { MailingContent, MailingStatus } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { findMailing, lockMailing, type MailingRow, readRow, type SendingDeps } from './mailing-row.ts'
import { type AutomaticPause, emailPauseAlert, feedbackTotals, unfreeze } from './pause-rules.ts'

type TransitionDeps = Pick<SendingDeps, 'database' | 'clock'> & {
  /** Runs in the same transaction, for the staff log. */
  onChange?(tx: Tx, change: { mailing: MailingRow; now: Date }): Promise<void>
}

export type Start = {
  id: string
  version: number
  at: Date | null
  /** The content that was checked; later edits don't change it. */
  content: MailingContent
  /** Errors of the checks that the publisher accepted. */
  acceptedErrors: readonly string[]
}

/**
 * Sends a draft now or schedules it. Of two concurrent calls only one succeeds. A sender picks the mailing up at its next
 * poll.
 * @throws AppError not_found, not_a_draft, mailing_changed; validation_failed if its newsletter is retired
 */
export async function startMailing(
  { database, clock, onChange }: TransitionDeps,
  { id, version, at, content, acceptedErrors }: Start,
): Promise<MailingStatus> {
  const status = at ? 'scheduled' : 'preparing'
  const now = clock()
  const isStarted = await database.db.transaction(async (tx) => {
    const [started] = await tx
      .update(mailings)
      .set({
        status,
        scheduledAt: at,
        waitsForVersion: null,
        content,
        frozenAt: now,
        acceptedErrors: [...acceptedErrors],
        sendFailure: null,
        pauseReason: null,
        updatedAt: now,
      })
      .where(and(eq(mailings.id, id), eq(mailings.status, 'draft'), eq(mailings.version, version)))
      .returning()
    if (started) {
      const mailing = readRow(started)
      const { newsletterId } = mailing.audience
      if (newsletterId !== null) await requireNewsletterInUse(tx, newsletterId)
      await onChange?.(tx, { mailing, now })
    }
    return started !== undefined
  })
  if (isStarted) return status
  const mailing = await findMailing(database.db, id)
  throw new AppError(mailing.status === 'draft' ? 'mailing_changed' : 'not_a_draft')
}

/** @throws AppError not_found, mailing_not_changeable */
export const unscheduleMailing = (deps: TransitionDeps, id: string): Promise<MailingStatus> =>
  transition(deps, id, { scheduled: 'draft' }, (_now, mailing) => unfreeze(mailing))

/** Removes the send failure from a draft. @throws AppError not_found, mailing_not_changeable */
export const dismissSendFailure = (deps: TransitionDeps, id: string): Promise<MailingStatus> =>
  transition(deps, id, { draft: 'draft' }, () => ({ sendFailure: null }))

/**
 * Replaces the content of a scheduled mailing, unless it has changed or started.
 * @throws AppError not_found, mailing_changed, mailing_not_changeable
 */
export async function updateScheduled(
  { database, clock, onChange }: TransitionDeps,
  { id, version, content, acceptedErrors }: Omit<Start, 'at'>,
): Promise<{ version: number }> {
  const now = clock()
  const next = version + 1
  const isUpdated = await database.db.transaction(async (tx) => {
    const [updated] = await tx
      .update(mailings)
      .set({ content, frozenAt: now, acceptedErrors: [...acceptedErrors], version: next, updatedAt: now })
      .where(
        and(
          eq(mailings.id, id),
          eq(mailings.status, 'scheduled'),
          isNull(mailings.waitsForVersion),
          eq(mailings.version, version),
        ),
      )
      .returning()
    if (updated) await onChange?.(tx, { mailing: readRow(updated), now })
    return updated !== undefined
  })
  if (isUpdated) return { version: next }
  const { status } = await findMailing(database.db, id)
  throw new AppError(status === 'scheduled' ? 'mailing_changed' : 'mailing_not_changeable')
}

/** Emails in progress are finished; no more are claimed. @throws AppError not_found, mailing_not_changeable */
export const pauseMailing = (deps: TransitionDeps, id: string): Promise<MailingStatus> =>
  transition(deps, id, pausable, () => ({ pauseReason: 'publisher' }))

/** Pauses automatically and emails the publisher. @throws AppError not_found, mailing_not_changeable */
export const pauseAutomatically = (
  deps: TransitionDeps & Pick<SendingDeps, 'config' | 'enqueue'>,
  id: string,
  pauseReason: AutomaticPause,
): Promise<MailingStatus> =>
  transition(deps, id, pausable, async (_now, mailing, tx) => {
    await emailPauseAlert(tx, deps, mailing, pauseReason)
    return { pauseReason }
  })

const pausable = { sending: 'paused', preparing: 'paused' } as const

/**
 * Resumes a paused mailing. Bounces and complaints up to now no longer count for the pause rules.
 * @throws AppError not_found, mailing_not_changeable
 */
export async function resumeMailing(deps: TransitionDeps, id: string): Promise<MailingStatus> {
  const { preparedAt } = await findMailing(deps.database.db, id)
  const counts = await deps.database.db.select().from(mailingCounts).where(eq(mailingCounts.mailingId, id))
  return transition(deps, id, { paused: preparedAt ? 'sending' : 'preparing' }, () => ({
    pauseReason: null,
    feedbackAtResume: feedbackTotals(counts),
  }))
}

/** Stops a mailing permanently; pending deliveries aren't sent. @throws AppError not_found, mailing_not_changeable */
export async function stopMailing(deps: TransitionDeps, id: string): Promise<MailingStatus> {
  const status = await transition(
    deps,
    id,
    { scheduled: 'stopped', preparing: 'stopped', sending: 'stopped', paused: 'stopped' },
    (now) => ({ finishedAt: now, pauseReason: null }),
  )
  await stopPending(deps, id)
  return status
}

const stopBatchSize = 10_000

/** In batches, so that no statement takes long. After a crash, the next poll of a sender continues. */
export async function stopPending(deps: TransitionDeps, id: string): Promise<void> {
  for (;;) {
    const stopped = await deps.database.db.transaction(async (tx) => {
      await lockMailing(tx, id)
      const rows = await queryRows(
        tx,
        sql`
        update deliveries set status = 'stopped', changed_at = ${deps.clock().toISOString()}::timestamptz
        where id in (select id from deliveries where mailing_id = ${id}::uuid and status = 'pending' limit ${stopBatchSize})
        returning 1`,
      )
      return rows.length
    })
    if (stopped < stopBatchSize) return
  }
}

type Change = Partial<typeof mailings.$inferInsert>

/** Changes the status if the current one is a key of `transitions`. */
async function transition(
  { database, clock, onChange }: TransitionDeps,
  id: string,
  transitions: Partial<Record<MailingStatus, MailingStatus>>,
  change: (now: Date, mailing: MailingRow, tx: Tx) => Change | Promise<Change>,
): Promise<MailingStatus> {
  return database.db.transaction(async (tx) => {
    const mailing = await lockMailing(tx, id)
    const next = transitions[mailing.status]
    if (!next) throw new AppError('mailing_not_changeable')
    const now = clock()
    await tx
      .update(mailings)
      .set({ ...(await change(now, mailing, tx)), status: next, updatedAt: now })
      .where(eq(mailings.id, id))
    await onChange?.(tx, { mailing, now })
    return next
  })
}
