import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { accountEmails } from '#server/db/schema/index.ts'
import type { Logger } from '#server/http/logger.ts'
import type { Email } from './mailer.ts'

/*
 * Which account and billing emails were sent to an address: subject and fate, never the text, which may hold a link or a
 * code. For the admin who is asked "I got no email".
 */

const keptDays = 90
/** Old rows are removed a few at a time by those who add, so that the table needs no job. */
const purgedAtOnce = 5
const maxErrorLength = 300

export type AccountEmailStatus = 'queued' | 'sent' | 'skipped' | 'failed'

/** In the transaction that asks for the email. @returns the number under which its fate is noted */
export async function logAccountEmail(tx: Tx, { to, subject }: Pick<Email, 'to' | 'subject'>, now: Date) {
  const id = randomUUID()
  const email = to.trim().toLowerCase()
  await tx.insert(accountEmails).values({ id, email, subject, status: 'queued', requestedAt: now, changedAt: now })
  const before = new Date(now.getTime() - keptDays * 86_400_000).toISOString()
  await tx.execute(sql`delete from ${accountEmails} where id in (
    select id from ${accountEmails} where requested_at < ${before}::timestamptz
    order by requested_at limit ${purgedAtOnce} for update skip locked)`)
  return id
}

type Fate = { status: AccountEmailStatus; error?: string | null }

/** What became of it. A failure is tried again, and may become `sent` later. */
export async function updateAccountEmailStatus(
  db: Db | Tx,
  id: string,
  { status, error = null, now }: Fate & { now: Date },
): Promise<void> {
  await db
    .update(accountEmails)
    .set({ status, error: error?.slice(0, maxErrorLength) ?? null, changedAt: now })
    .where(eq(accountEmails.id, id))
}

type NoteDeps = { database: { db: Db }; clock: () => Date; logger: Logger }

/** For the worker: what cannot be noted is told to the operator, and stands in the way of nothing. */
export const createEmailStatusRecorder =
  ({ database, clock, logger }: NoteDeps) =>
  (id: string, fate: Fate): Promise<void> =>
    updateAccountEmailStatus(database.db, id, { ...fate, now: clock() }).catch((error: unknown) =>
      logger.warn({ err: error }, 'fate of an account email not noted'),
    )

export const listAccountEmails = (db: Db | Tx, email: string, limit: number) =>
  db
    .select()
    .from(accountEmails)
    .where(eq(accountEmails.email, email))
    .orderBy(desc(accountEmails.requestedAt), desc(accountEmails.id))
    .limit(limit)
