import { and, desc, eq, isNotNull, ne, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { afterCursor, createdAtPosition, type Db, newestFirst, toMicroseconds } from '#server/db/database.ts'
import { issues, mailings } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { MailingAlert, MailingProgress, MailingSummary } from '#shared/contracts/publishing/mailings.ts'
import {
  audienceSchema,
  mailingKinds,
  mailingStatuses,
  sendFailureSchema,
  unlistedKinds,
} from '#shared/contracts/publishing/newsletter.ts'
import { readProgress } from './read-progress.ts'

const defaultPageSize = 20
/** Unsent issues to offer. Older ones can be sent from the content pages. */
const maxUnsentIssues = 5

type MailingRow = typeof mailings.$inferSelect

/** The list of mailings shows the rest. */
const maxAlerts = 5

/** Mailings that weren't sent or paused automatically, newest first. */
export async function listMailingAlerts(db: Db): Promise<MailingAlert[]> {
  const rows = await db
    .select()
    .from(mailings)
    .where(sql`(${mailings.sendFailure} is not null or ${mailings.status} = 'paused')
      and (${mailings.status} = 'draft' or ${mailings.pauseReason} <> 'publisher')`)
    .orderBy(desc(mailings.updatedAt))
    .limit(maxAlerts)
  return rows.map((row) => ({
    id: row.id,
    subject: row.subject,
    at: row.updatedAt.toISOString(),
    sendFailure: sendFailureOf(row),
    pauseReason: row.pauseReason,
  }))
}

/** Leaves out follow-ups, of which there is one a day. */
export async function listMailings(
  db: Db,
  {
    cursor,
    limit = defaultPageSize,
    newsletterId,
  }: { cursor?: string | null; limit?: number; newsletterId?: number | null },
) {
  const after = cursor ? decodeCursor(cursor, createdAtPosition) : null
  const found = await db
    .select({
      mailing: mailings,
      createdAtMicros: toMicroseconds(mailings.createdAt),
    })
    .from(mailings)
    .where(
      and(
        notInArray(mailings.kind, [...unlistedKinds]),
        newsletterId ? sql`${mailings.audience} ->> 'newsletterId' = ${String(newsletterId)}` : undefined,
        after ? afterCursor(mailings, after[0], sql`${after[1]}::uuid`) : undefined,
      ),
    )
    .orderBy(...newestFirst(mailings))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.createdAtMicros, last.mailing.id])
  const progress = await readProgress(
    db,
    page.map(({ mailing }) => mailing.id),
  )
  return {
    items: page.map(({ mailing }) => toSummary(mailing, progress(mailing.id))),
    nextCursor,
    unsentIssues: await unsentIssues(db),
  }
}

export async function readMailingSummary(db: Db, id: string): Promise<MailingSummary | null> {
  const [row] = await db.select().from(mailings).where(eq(mailings.id, id))
  return row ? toSummary(row, (await readProgress(db, [id]))(id)) : null
}

/** Published issues without a mailing. One that was stopped before it started doesn't count; imported ones were sent before. */
const unsentIssues = (db: Db) =>
  db
    .select({ id: issues.id, title: issues.title, date: issues.date })
    .from(issues)
    .where(
      sql`${isNotNull(issues.publishedAt)} and not exists (
        select 1 from mailings m where m.issue_id = ${issues.id} and not (m.status = 'stopped' and m.started_at is null))
        and not exists (select 1 from imported_posts p where p.document_id = ${issues.id})`,
    )
    .orderBy(desc(issues.date), issues.id)
    .limit(maxUnsentIssues)

/** The newest mailing of an issue that wasn't stopped. */
export async function findIssueMailing(db: Db, issueId: string) {
  const [mailing] = await db
    .select({ id: mailings.id, status: mailings.status })
    .from(mailings)
    .where(and(eq(mailings.issueId, issueId), ne(mailings.status, 'stopped')))
    .orderBy(...newestFirst(mailings))
    .limit(1)
  return { mailing: mailing ? { ...mailing, status: z.enum(mailingStatuses).parse(mailing.status) } : null }
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

/** Null for a value from an older version that can't be parsed. */
const sendFailureOf = ({ sendFailure }: Pick<MailingRow, 'sendFailure'>) =>
  sendFailureSchema.safeParse(sendFailure).data ?? null

export const toSummary = (row: MailingRow, progress: MailingProgress): MailingSummary => ({
  id: row.id,
  kind: z.enum(mailingKinds).parse(row.kind),
  issueId: row.issueId,
  newsletterId: audienceSchema.parse(row.audience).newsletterId,
  subject: row.subject,
  status: z.enum(mailingStatuses).parse(row.status),
  pauseReason: row.pauseReason,
  sendFailure: sendFailureOf(row),
  createdAt: row.createdAt.toISOString(),
  scheduledAt: iso(row.scheduledAt),
  startedAt: iso(row.startedAt),
  finishedAt: iso(row.finishedAt),
  progress,
})
