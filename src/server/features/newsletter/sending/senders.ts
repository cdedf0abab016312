import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { senders } from '#server/db/schema/index.ts'
import { lockMailing } from './mailing-row.ts'
import type { SendingDeps } from './sending-deps.ts'

/** In the database's time: the clocks of nodes differ. */
export async function registerSender(db: Db, id: string): Promise<void> {
  await db.insert(senders).values({ id, startedAt: sql`now()`, heartbeatAt: sql`now()` })
}

/** False when the others have given this sender up: what it held is `unknown` by now, and it needs a new name. */
export async function heartbeat(db: Db | Tx, id: string): Promise<boolean> {
  const rows = await queryRows(db, sql`update senders set heartbeat_at = now() where id = ${id}::uuid returning 1`)
  return rows.length > 0
}

/**
 * The same within an exchange, and in one statement with what its claim needs: that joins nine tables by their keys, in
 * the order in which it names them, and to weigh all orders would take longer.
 */
export async function heartbeatForClaim(tx: Tx, id: string): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`with seen as (update senders set heartbeat_at = now() where id = ${id}::uuid returning 1)
      select set_config('join_collapse_limit', '1', true) from seen`,
  )
  return rows.length > 0
}

export async function deregisterSender(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from senders where id = ${id}::uuid`)
}

/**
 * Senders that have not been heard of are gone. What they had marked as under way may or may not have been sent: it is
 * `unknown`, never sent again by itself. `alone`: this process is the only one that can be there, so all others are gone.
 */
export async function expireStaleSenders(
  { database, clock }: Pick<SendingDeps, 'database' | 'clock'>,
  { own, staleAfterMs, alone }: { own: string; staleAfterMs: number; alone: boolean },
): Promise<void> {
  const { db } = database
  await db.execute(
    alone
      ? sql`delete from senders where id <> ${own}::uuid`
      : sql`delete from senders where id <> ${own}::uuid and heartbeat_at < now() - make_interval(secs => ${staleAfterMs / 1000})`,
  )
  const orphaned = sql`status = 'sending' and not exists (select 1 from senders s where s.id = sender_id)`
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select distinct mailing_id::text as id from deliveries where ${orphaned}`,
  )
  for (const { id } of rows) {
    await db.transaction(async (tx) => {
      await lockMailing(tx, id)
      await tx.execute(sql`update deliveries
        set status = 'unknown', cause = 'sender_lost', changed_at = ${clock().toISOString()}::timestamptz
        where mailing_id = ${id}::uuid and ${orphaned}`)
    })
  }
}
