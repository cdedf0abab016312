import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { isSigned, type NormalizedReport } from './delivery-report.ts'

export type KnownDelivery = { id: string; userId: string; email: string | null }
export type Matched = { report: NormalizedReport; delivery: KnownDelivery | null }

type Row = { id: string | number; user_id: string; email: string | null; nr: number }

/**
 * Says which delivery each report is about. One that came by mail and brings no mark of ours is left out: anybody could
 * have written it.
 */
export async function findDeliveries(tx: Tx, reports: readonly NormalizedReport[]): Promise<Matched[]> {
  const marked = await byMark(tx, reports)
  const guessed = await bySubject(tx, reports)
  return reports
    .map((report, nr) => ({
      report,
      delivery: (report.deliveryId ? marked.get(report.deliveryId) : guessed.get(nr)) ?? null,
    }))
    .filter(({ report, delivery }) => delivery !== null || isSigned(report))
}

/** Locked in one order, so that two who report about the same mails wait for each other and never in a ring. */
async function byMark(tx: Tx, reports: readonly NormalizedReport[]): Promise<Map<string, KnownDelivery>> {
  const ids = [...new Set(reports.flatMap(({ deliveryId }) => deliveryId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await queryRows<Row>(
    tx,
    sql`select id, user_id, email from deliveries where id = any(${sql.param(ids)}::bigint[]) order by id for update`,
  )
  return new Map(rows.map((row) => [String(row.id), asDelivery(row)]))
}

/**
 * Some providers bring nothing back that we wrote into the mail but its subject. The reader's newest mail of that
 * subject is meant; with none the report is about the address alone.
 */
async function bySubject(tx: Tx, reports: readonly NormalizedReport[]): Promise<Map<number, KnownDelivery>> {
  const asked = reports.flatMap(({ deliveryId, email, subject }, nr) =>
    !deliveryId && email && subject ? [{ nr, email, subject }] : [],
  )
  if (asked.length === 0) return new Map()
  const rows = await queryRows<Row>(
    tx,
    sql`select asked.nr, sent.id, sent.user_id, sent.email
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (nr int, email text, subject text)
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
