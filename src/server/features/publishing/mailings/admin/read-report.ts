import { and, asc, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { mailingHours, mailingLinks, mailings } from '#server/db/schema/index.ts'
import type { BounceCause, MailingReport } from '#shared/contracts/publishing/mailing-report.ts'
import { findMailing } from '../sending/mailing-row.ts'
import { bounceCauseSql } from './list-deliveries.ts'
import { readProgress } from './read-progress.ts'

const maxDays = 14
const maxLinks = 50
const maxPrevious = 5
/** Causes are read from the reports themselves, so their number is limited. */
const maxBounces = 10_000

/**
 * Reads counts that are kept while sending, so the cost doesn't depend on the number of recipients.
 * @throws AppError not_found
 */
export async function readReport(db: Db, id: string): Promise<MailingReport> {
  const { kind, startedAt } = await findMailing(db, id)
  if (!startedAt) return { hours: [], links: [], bounceCauses: [], previous: [] }
  const [hours, links, causes, previous] = await Promise.all([
    readHours(db, id, startedAt),
    readLinks(db, id),
    readBounceCauses(db, id),
    readPrevious(db, { kind, startedAt }),
  ])
  return { hours, links, bounceCauses: causes, previous }
}

async function readHours(db: Db, id: string, startedAt: Date): Promise<MailingReport['hours']> {
  const until = new Date(startedAt.getTime() + maxDays * 24 * 3_600_000)
  const rows = await db
    .select()
    .from(mailingHours)
    .where(and(eq(mailingHours.mailingId, id), lt(mailingHours.hour, until), sql`${mailingHours.value} > 0`))
    .orderBy(asc(mailingHours.hour))
  const byHour = new Map<string, MailingReport['hours'][number]>()
  for (const { hour, name, value } of rows) {
    const at = hour.toISOString()
    const entry = byHour.get(at) ?? { at, submitted: 0, opened: 0, clicked: 0, unsubscribed: 0 }
    byHour.set(at, { ...entry, [name]: value })
  }
  return [...byHour.values()]
}

const readLinks = (db: Db, id: string) =>
  db
    .select({ url: mailingLinks.url, readers: mailingLinks.readers, bots: mailingLinks.bots })
    .from(mailingLinks)
    .where(and(eq(mailingLinks.mailingId, id), sql`${mailingLinks.readers} + ${mailingLinks.bots} > 0`))
    .orderBy(desc(mailingLinks.readers), desc(mailingLinks.bots), asc(mailingLinks.url))
    .limit(maxLinks)

const readBounceCauses = (db: Db, id: string) =>
  queryRows<{ cause: BounceCause; count: number }>(
    db,
    sql`select cause, count(*)::int as count from (
        select ${bounceCauseSql(sql`bounced.id`)} as cause from (
          select d.id from deliveries d where d.mailing_id = ${id}::uuid and d.bounce_type is not null
          order by d.id limit ${maxBounces}
        ) bounced
      ) caused group by cause order by count desc, cause`,
  )

/** Earlier mailings of the same kind that were sent to readers. */
async function readPrevious(
  db: Db,
  { kind, startedAt }: { kind: string; startedAt: Date },
): Promise<MailingReport['previous']> {
  const rows = await db
    .select({ id: mailings.id, subject: mailings.subject, startedAt: mailings.startedAt, tracked: mailings.tracked })
    .from(mailings)
    .where(and(eq(mailings.kind, kind), isNotNull(mailings.startedAt), lt(mailings.startedAt, startedAt)))
    .orderBy(desc(mailings.startedAt), desc(mailings.id))
    .limit(maxPrevious)
  const progressOf = await readProgress(
    db,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    ...row,
    startedAt: (row.startedAt ?? startedAt).toISOString(),
    progress: progressOf(row.id),
  }))
}
