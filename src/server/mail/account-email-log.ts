import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { accountEmails } from '#server/db/schema/index.ts'
import type { Logger } from '#server/http/logger.ts'
import type { Email } from './mailer.ts'

/*
 * Log of account and billing emails by address: subject and status, never the body, which may contain a link or code.
 * Admins use it to answer "I didn't get the email".
 */

const retentionDays = 90
/** Each insert deletes up to this many expired rows, so the table needs no cleanup job. */
const maxPurgedRows = 5
const maxErrorLength = 300

/** A subject may name another person, whose account is deleted without the log of this address. */
const withoutAddresses = (subject: string) => subject.replaceAll(/(?<!\S)\S+@\S+/g, '…')

export type AccountEmailStatus = 'queued' | 'sent' | 'skipped' | 'failed'

/** Call it in the transaction that enqueues the email. @returns the log id for status updates */
export async function logAccountEmail(tx: Tx, { to, subject }: Pick<Email, 'to' | 'subject'>, now: Date) {
  const id = randomUUID()
  const email = to.trim().toLowerCase()
  await tx
    .insert(accountEmails)
    .values({ id, email, subject: withoutAddresses(subject), status: 'queued', requestedAt: now, changedAt: now })
  const before = new Date(now.getTime() - retentionDays * 86_400_000).toISOString()
  await tx.execute(sql`delete from ${accountEmails} where id in (
    select id from ${accountEmails} where requested_at < ${before}::timestamptz
    order by requested_at limit ${maxPurgedRows} for update skip locked)`)
  return id
}

type StatusUpdate = { status: AccountEmailStatus; error?: string | null }

/** A `failed` email is retried and may become `sent` later. */
export async function updateAccountEmailStatus(
  db: Db | Tx,
  id: string,
  { status, error = null, now }: StatusUpdate & { now: Date },
): Promise<void> {
  await db
    .update(accountEmails)
    .set({ status, error: error?.slice(0, maxErrorLength) ?? null, changedAt: now })
    .where(eq(accountEmails.id, id))
}

type RecorderDeps = { database: { db: Db }; clock: () => Date; logger: Logger }

/** For the worker: a failed status update is logged and never fails the job. */
export const createEmailStatusRecorder =
  ({ database, clock, logger }: RecorderDeps) =>
  (id: string, update: StatusUpdate): Promise<void> =>
    updateAccountEmailStatus(database.db, id, { ...update, now: clock() }).catch((error: unknown) =>
      logger.warn({ err: error }, 'account email status not recorded'),
    )
