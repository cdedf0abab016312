import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { isSigned, type NormalizedReport } from './delivery-report.ts'

export type KnownDelivery = { id: string; userId: string; email: string | null }
export type Matched = { report: NormalizedReport; delivery: KnownDelivery | null }

type Row = { id: string | number; user_id: string; email: string | null; nr: number }

/** Matches each report to its delivery. Drops unsigned reports without a delivery token, which anyone could forge. */
export async function findDeliveries(tx: Tx, reports: readonly NormalizedReport[]): Promise<Matched[]> {
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
