import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { type DeliveryReport, isSigned, type NormalizedReport, normalizeReport } from './delivery-report.ts'
import { suppressBounced, suppressComplainants } from './suppress.ts'

type KnownDelivery = { id: string; userId: string; email: string | null }
type Matched = { report: NormalizedReport; delivery: KnownDelivery | null }

type Row = { id: string | number; user_id: string; email: string | null; nr: number }

/** Matches each report to its delivery. Drops unsigned reports without a delivery token, which anyone could forge. */
async function findDeliveries(tx: Tx, reports: readonly NormalizedReport[]): Promise<Matched[]> {
  const byId = await findById(tx, reports)
  const byIndex = await findBySubject(tx, reports)
  return reports
    .map((report, index) => ({
      report,
      delivery: (report.deliveryId ? byId.get(report.deliveryId) : byIndex.get(index)) ?? null,
    }))
    .filter(({ report, delivery }) => delivery !== null || isSigned(report))
}

/** Locks the rows in id order to avoid deadlocks between concurrent reports. */
async function findById(tx: Tx, reports: readonly NormalizedReport[]): Promise<Map<string, KnownDelivery>> {
  const ids = [...new Set(reports.flatMap(({ deliveryId }) => deliveryId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await queryRows<Row>(
    tx,
    sql`select id, user_id, email from deliveries where id = any(${sql.param(ids)}::bigint[]) order by id for update`,
  )
  return new Map(rows.map((row) => [String(row.id), asDelivery(row)]))
}

/**
 * For providers that return only the subject: matches the reader’s newest delivery with that subject. Without a match the
 * report applies to the address only.
 */
async function findBySubject(tx: Tx, reports: readonly NormalizedReport[]): Promise<Map<number, KnownDelivery>> {
  const lookups = reports.flatMap(({ deliveryId, email, subject }, nr) =>
    !deliveryId && email && subject ? [{ nr, email, subject }] : [],
  )
  if (lookups.length === 0) return new Map()
  const rows = await queryRows<Row>(
    tx,
    sql`select asked.nr, sent.id, sent.user_id, sent.email
      from jsonb_to_recordset(${JSON.stringify(lookups)}::jsonb) as asked (nr int, email text, subject text)
      join auth.users u on u.email = asked.email
      join lateral (
        select d.id, d.user_id, d.email from deliveries d join mailings m on m.id = d.mailing_id
        where d.user_id = u.id and d.email = asked.email and m.subject = asked.subject
          and d.status in ('submitted', 'unknown')
        order by d.id desc limit 1
      ) sent on true`,
  )
  return new Map(rows.map((row) => [row.nr, asDelivery(row)]))
}

const asDelivery = ({ id, user_id: userId, email }: Row): KnownDelivery => ({ id: String(id), userId, email })

type TakeDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Records reports, updates the deliveries and suppresses addresses in a fixed number of statements. Idempotent and
 * independent of order: a delivery keeps its earliest time and most severe type.
 */
export async function recordReports({ database, clock }: TakeDeps, reports: readonly DeliveryReport[]): Promise<void> {
  if (reports.length === 0) return
  const now = clock()
  const normalized = reports.map((report) => normalizeReport(report, now))
  await database.db.transaction(async (tx) => {
    const fresh = await recordEvents(tx, await findDeliveries(tx, normalized), now)
    if (fresh.length === 0) return
    await updateDeliveries(tx, fresh)
    await suppressBounced(tx, emailsOf(fresh, 'hard_bounce', 'soft_bounce', 'blocked'), now)
    const complaining = fresh.filter(({ report }) => report.type === 'complaint')
    await suppressComplainants(
      tx,
      complaining.flatMap((matched) => {
        const email = emailOf(matched)
        return email ? [{ email, userId: matched.delivery?.userId ?? null }] : []
      }),
      now,
    )
  })
}

/** The delivery’s address, null if its account was deleted; without a delivery, the address in the report. */
const emailOf = ({ report, delivery }: Matched) => (delivery ? delivery.email : report.email)

const emailsOf = (matched: readonly Matched[], ...types: DeliveryReport['type'][]) => [
  ...new Set(matched.filter(({ report }) => types.includes(report.type)).flatMap((each) => emailOf(each) ?? [])),
]

/** @returns the reports that weren’t recorded before */
async function recordEvents(tx: Tx, matched: readonly Matched[], now: Date): Promise<Matched[]> {
  if (matched.length === 0) return []
  const rows = matched.map((each, nr) => ({
    nr,
    source: each.report.source,
    external_id: each.report.externalId,
    type: each.report.type,
    delivery_id: each.delivery?.id ?? null,
    email: emailOf(each),
    detail: each.report.detail,
    occurred_at: each.report.occurredAt,
  }))
  const recorded = await queryRows<{ source: string; external_id: string }>(
    tx,
    sql`insert into email_events (source, external_id, type, delivery_id, email, detail, occurred_at, received_at)
      select source, external_id, type, delivery_id, email, detail, occurred_at, ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (nr int, source text, external_id text, type text,
        delivery_id bigint, email text, detail text, occurred_at timestamptz)
      order by source, external_id, nr
      on conflict (source, external_id) do nothing
      returning source, external_id`,
  )
  // If a request contains duplicates, the first counts.
  const fresh = new Set(recorded.map(({ source, external_id }) => `${source} ${external_id}`))
  return matched.filter(({ report }) => fresh.delete(`${report.source} ${report.externalId}`))
}

/** Keeps the earliest time and the most severe type, so that the order of reports doesn’t matter. */
async function updateDeliveries(tx: Tx, fresh: readonly Matched[]): Promise<void> {
  const rows = fresh.flatMap(({ report, delivery }) =>
    delivery ? [{ id: delivery.id, type: report.type, at: report.occurredAt }] : [],
  )
  if (rows.length === 0) return
  await tx.execute(sql`
    update deliveries d set
      bounced_at = least(d.bounced_at, reported.bounced_at),
      bounce_type = case when reported.hard then 'hard' when reported.bounced_at is null then d.bounce_type
        else coalesce(d.bounce_type, 'soft') end,
      complained_at = least(d.complained_at, reported.complained_at)
    from (
      select id, min(at) filter (where type <> 'complaint') as bounced_at, bool_or(type = 'hard_bounce') as hard,
        min(at) filter (where type = 'complaint') as complained_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, type text, at timestamptz)
      group by id
    ) reported
    where d.id = reported.id`)
}
