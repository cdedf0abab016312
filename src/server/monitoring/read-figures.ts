import { sql } from 'drizzle-orm'
import { type Database, isUndefinedTable, queryRows } from '#server/db/database.ts'
import { restoreHold } from '#server/db/restore-hold.ts'

export type QueueFigures = {
  name: string
  /** Jobs that could run now. */
  waiting: number
  /** How long the oldest of the waiting jobs has been able to run. */
  oldestSeconds: number
}

export type Figures = {
  queues: QueueFigures[]
  /** Deliveries of mailings that are being prepared, sent, or are paused, without those that wait for a reader's hour. */
  deliveriesWaiting: number
  /** Mailings that paused automatically or weren't sent. */
  mailingsStuck: number
  /** Members whose next step of a series that is on is due, up to 1,000 for each series. */
  seriesDue: number
  /** How long the oldest of these steps has been due. */
  seriesDueSeconds: number
  /** Stripe events whose processing failed and that wait for the next try. */
  stripeEventsFailed: number
  /** When Stripe's events were last listed; null before the first time. */
  stripeListedAt: Date | null
  isEmailOnHold: boolean
  /** Null if there is none. */
  newestBackupAt: Date | null
  newestDropAt: Date | null
}

const maxCounted = 1_000
const maxDueCounted = 100_000

/** Those who wait for their hour aren't late. Counting more of a mailing's would read too many rows. */
const dueNow = sql`(select count(*) from (select 1 from deliveries d where d.mailing_id = m.id and d.status = 'pending'
  and d.send_at is not null and d.send_at <= now() limit ${sql.raw(`${maxDueCounted}`)}) due)`
/** Counter of the reconciliation: the second until which Stripe's events were listed. */
export const stripeCursor = 'billing_events_cursor'

/** Reads figures for monitoring with two statements, which read few rows of indexes. */
export async function readFigures({ db }: Pick<Database, 'db'>): Promise<Figures> {
  const [queues, [row]] = await Promise.all([
    readQueues(db),
    queryRows<{
      deliveries: string | number
      mailings: number
      seriesDue: number
      seriesDueSeconds: string | number
      events: number
      listed: string | number | null
      hold: boolean
      backup: string | Date | null
      drop: string | Date | null
    }>(
      db,
      sql`select
        (select coalesce(sum(case when m.reader_hours then least(c.value, ${dueNow}) else c.value end), 0)
          from mailings m join mailing_counts c on c.mailing_id = m.id and c.name = 'pending'
          where m.status in ('preparing', 'sending', 'paused')) as deliveries,
        (select count(*)::int from mailings where send_failure is not null
          or (status = 'paused' and pause_reason is distinct from 'publisher')) as mailings,
        due.members as "seriesDue", due.seconds as "seriesDueSeconds",
        (select count(*)::int from (select 1 from stripe_event
          where processed_at is null and last_error is not null limit ${sql.raw(`${maxCounted}`)}) failed) as events,
        (select max(value) from counters where name = ${stripeCursor}) as listed,
        exists (select 1 from publication_settings where name = ${restoreHold}) as hold,
        (select max(started_at) from backups where status = 'done' and deleted_at is null) as backup,
        (select max(published_at) from issues) as drop
      from (
        select coalesce(sum(d.members), 0)::int as members,
          coalesce(extract(epoch from now() - min(d.oldest)), 0)::float8 as seconds
        from series s cross join lateral (
          select count(*) as members, min(due_at) as oldest from (
            select due_at from series_entry where series_id = s.id and due_at <= now()
            order by due_at, id limit ${sql.raw(`${maxCounted}`)}) first
        ) as d where s.status = 'on'
      ) as due`,
    ),
  ])
  return {
    queues,
    deliveriesWaiting: Number(row?.deliveries ?? 0),
    mailingsStuck: row?.mailings ?? 0,
    seriesDue: row?.seriesDue ?? 0,
    seriesDueSeconds: Number(row?.seriesDueSeconds ?? 0),
    stripeEventsFailed: row?.events ?? 0,
    stripeListedAt: row?.listed ? new Date(Number(row.listed) * 1000) : null,
    isEmailOnHold: row?.hold ?? false,
    newestBackupAt: row?.backup ? new Date(row.backup) : null,
    newestDropAt: row?.drop ? new Date(row.drop) : null,
  }
}

/** Every queue, also those without a waiting job. Empty before the job queue was opened for the first time. */
async function readQueues(db: Database['db']): Promise<QueueFigures[]> {
  try {
    const rows = await queryRows<Omit<QueueFigures, 'oldestSeconds'> & { oldestSeconds: string | number }>(
      db,
      // `start_after` is when the job was created, its scheduled time or the time of its next try. The conditions match
      // an index of the job queue.
      sql`select q.name, coalesce(j.waiting, 0)::int as waiting,
          coalesce(extract(epoch from now() - j.oldest), 0)::float8 as "oldestSeconds"
        from pgboss.queue q left join (
          select name, count(*) as waiting, min(start_after) as oldest from pgboss.job
          where state < 'active' and not blocked and start_after <= now() group by name) j on j.name = q.name
        where q.name not like '\\_\\_pgboss%' order by q.name`,
    )
    return rows.map((row) => ({ ...row, oldestSeconds: Math.max(0, Number(row.oldestSeconds)) }))
  } catch (error) {
    if (isUndefinedTable(error)) return []
    throw error
  }
}
