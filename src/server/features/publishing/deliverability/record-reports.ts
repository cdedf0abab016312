import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { type DeliveryReport, normalizeReport } from './delivery-report.ts'
import { findDeliveries, type Matched } from './find-deliveries.ts'
import { suppressBounced, suppressComplainants } from './suppress.ts'

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
