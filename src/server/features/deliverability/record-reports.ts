import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { type DeliveryReport, normalizeReport } from './delivery-report.ts'
import { findDeliveries, type Matched } from './find-deliveries.ts'
import { suppressBounced, suppressComplainants } from './suppress.ts'

type TakeDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Takes what came in about our mails: notes each report once, marks the deliveries, and stops writing to addresses where
 * that is due. A handful of statements however many reports. In whatever order and however often reports come, what is
 * written in the end is the same: marks only grow earlier and graver, and suppressions follow from the noted reports.
 */
export async function recordReports({ database, clock }: TakeDeps, reports: readonly DeliveryReport[]): Promise<void> {
  if (reports.length === 0) return
  const now = clock()
  const cleaned = reports.map((report) => normalizeReport(report, now))
  await database.db.transaction(async (tx) => {
    const fresh = await note(tx, await findDeliveries(tx, cleaned), now)
    if (fresh.length === 0) return
    await markDeliveries(tx, fresh)
    await suppressBounced(tx, emailsOf(fresh, 'hard_bounce', 'soft_bounce'), now)
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

/** The delivery's own address, which may be gone with its account; the one that the report names where there is none. */
const emailOf = ({ report, delivery }: Matched) => (delivery ? delivery.email : report.email)

const emailsOf = (matched: readonly Matched[], ...types: DeliveryReport['type'][]) => [
  ...new Set(matched.filter(({ report }) => types.includes(report.type)).flatMap((each) => emailOf(each) ?? [])),
]

/** @returns those that were not known yet */
async function note(tx: Tx, matched: readonly Matched[], now: Date): Promise<Matched[]> {
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
  const noted = await queryRows<{ source: string; external_id: string }>(
    tx,
    sql`insert into email_events (source, external_id, type, delivery_id, email, detail, occurred_at, received_at)
      select source, external_id, type, delivery_id, email, detail, occurred_at, ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (nr int, source text, external_id text, type text,
        delivery_id bigint, email text, detail text, occurred_at timestamptz)
      order by source, external_id, nr
      on conflict (source, external_id) do nothing
      returning source, external_id`,
  )
  // Told twice within one request, the first counts.
  const fresh = new Set(noted.map(({ source, external_id }) => `${source} ${external_id}`))
  return matched.filter(({ report }) => fresh.delete(`${report.source} ${report.externalId}`))
}

/** The earliest time and the gravest kind stay, so that the order of reports does not matter. */
async function markDeliveries(tx: Tx, fresh: readonly Matched[]): Promise<void> {
  const rows = fresh.flatMap(({ report, delivery }) =>
    delivery ? [{ id: delivery.id, type: report.type, at: report.occurredAt }] : [],
  )
  if (rows.length === 0) return
  await tx.execute(sql`
    update deliveries d set
      bounced_at = least(d.bounced_at, told.bounced_at),
      bounce_type = case when told.hard then 'hard' when told.bounced_at is null then d.bounce_type
        else coalesce(d.bounce_type, 'soft') end,
      complained_at = least(d.complained_at, told.complained_at)
    from (
      select id, min(at) filter (where type <> 'complaint') as bounced_at, bool_or(type = 'hard_bounce') as hard,
        min(at) filter (where type = 'complaint') as complained_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, type text, at timestamptz)
      group by id
    ) told
    where d.id = told.id`)
}
