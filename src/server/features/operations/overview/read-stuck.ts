import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { listPublishingAlerts } from '#server/features/publishing/documents/publish-scheduled-documents.ts'
import { listMailingAlerts } from '#server/features/publishing/mailings/admin/list-mailings.ts'
import { hasFailedPayment } from '#server/features/publishing/segments/filter-sql.ts'
import { maxOverviewCount, type StuckMembers } from '#shared/contracts/operations/admin-overview.ts'
import { dayMs } from '#shared/domain/durations.ts'

const maxNewest = 3
const maxDuplicates = 5
const maxMailings = 5

const daysBefore = (now: Date, days: number) =>
  sql`${new Date(now.getTime() - days * dayMs).toISOString()}::timestamptz`

/** Members who need a person, or nearly: each count reads at most `maxOverviewCount` rows of an index. */
export async function readStuckMembers(db: Db, now: Date): Promise<StuckMembers> {
  const [failedPayments, duplicates, stripeEvents, imported, suppressed] = await Promise.all([
    readFailedPayments(db),
    readDuplicates(db, now),
    readStripeEvents(db),
    readImported(db, now),
    readSuppressed(db, now),
  ])
  return { failedPayments, duplicates, stripeEvents, imported, suppressed }
}

type MemberRow = { userId: string; email: string }

const limit = sql.raw(String(maxOverviewCount))

async function readFailedPayments(db: Db) {
  const unpaid = sql`from subscription_state s where s.status in ('past_due', 'unpaid')`
  const [[counted], newest] = await Promise.all([
    queryRows<{ count: number }>(
      db,
      sql`select count(*)::int as count from (
        select 1 from member_facts f where ${hasFailedPayment} limit ${limit}) rows`,
    ),
    queryRows<MemberRow>(
      db,
      sql`select u.id as "userId", coalesce(u.email, '') as email
        from (select s.user_id, s.unpaid_since ${unpaid} order by s.unpaid_since desc nulls last limit ${maxNewest}) s
        join auth.users u on u.id = s.user_id order by s.unpaid_since desc nulls last, u.id`,
    ),
  ])
  return { count: counted?.count ?? 0, newest }
}

async function readDuplicates(db: Db, now: Date): Promise<StuckMembers['duplicates']> {
  const rows = await queryRows<MemberRow & { id: string; outcome: string; detectedAt: string | Date }>(
    db,
    sql`select d.subscription_id as id, d.outcome, d.detected_at as "detectedAt", u.id as "userId",
        coalesce(u.email, '') as email
      from duplicate_subscription d join auth.users u on u.id = d.user_id
      where d.outcome = 'left_active' or d.detected_at >= ${daysBefore(now, 30)}
      order by d.outcome desc, d.detected_at desc, d.subscription_id limit ${maxDuplicates}`,
  )
  return rows.map(({ outcome, detectedAt, ...row }) => ({
    ...row,
    outcome: outcome === 'left_active' ? 'left_active' : 'canceled',
    detectedAt: new Date(detectedAt).toISOString(),
  }))
}

async function readStripeEvents(db: Db) {
  const failed = sql`from stripe_event e where e.processed_at is null and e.last_error is not null`
  const [[counted], newest] = await Promise.all([
    queryRows<{ count: number }>(db, sql`select count(*)::int as count from (select 1 ${failed} limit ${limit}) rows`),
    queryRows<MemberRow>(
      db,
      sql`select u.id as "userId", coalesce(u.email, '') as email
        from (select e.customer_id, max(e.created) as created ${failed} group by 1 order by 2 desc limit ${maxNewest}) e
        join billing_customer c on c.stripe_customer_id = e.customer_id join auth.users u on u.id = c.user_id
        order by e.created desc, u.id`,
    ),
  ])
  return { count: counted?.count ?? 0, newest }
}

/** Imports bring members, not their plans: those come with the subscriptions at Stripe. */
async function readImported(db: Db, now: Date) {
  const [row] = await queryRows<{ paying: number }>(
    db,
    sql`select coalesce(sum((i.counts ->> 'paying')::int), 0)::int as paying from member_imports i
      where i.finished_at >= ${daysBefore(now, 30)} and not exists (
        select 1 from stripe_adoption a where a.status = 'finished' and a.created_at >= i.finished_at)`,
  )
  return { paying: row?.paying ?? 0 }
}

/** Addresses, of which a complaint suppresses several streams. */
async function readSuppressed(db: Db, now: Date) {
  const [row] = await queryRows<{ bounced: number; complained: number }>(
    db,
    sql`select count(distinct email) filter (where reason in ('hard_bounce', 'soft_bounces'))::int as bounced,
        count(distinct email) filter (where reason = 'complaint')::int as complained
      from (select email, reason from suppressions
        where created_at >= ${daysBefore(now, 7)} and lifted_at is null
        order by created_at desc, id desc limit ${limit}) newest`,
  )
  return row ?? { bounced: 0, complained: 0 }
}

/** Mailings and drops that need a decision. */
export async function readStuckMailings(db: Db, now: Date) {
  const [mailings, documents, unknownDeliveries] = await Promise.all([
    listMailingAlerts(db),
    listPublishingAlerts(db),
    queryRows<{ mailingId: string; subject: string; count: number }>(
      db,
      sql`select m.id as "mailingId", m.subject, sum(c.value)::int as count
        from mailings m join mailing_counts c on c.mailing_id = m.id and c.name = 'unknown' and c.value > 0
        where m.started_at >= ${daysBefore(now, 30)}
        group by m.id order by m.started_at desc, m.id desc limit ${maxMailings}`,
    ),
  ])
  return { mailings, documents, unknownDeliveries }
}
