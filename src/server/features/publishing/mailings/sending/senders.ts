import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { senders } from '#server/db/schema/index.ts'
import { readServerVersion } from '#server/monitoring/server-version.ts'
import { lockMailing } from './mailing-row.ts'
import type { SendingDeps } from './sending-deps.ts'

/** Uses the database clock because the clocks of nodes differ. */
export async function registerSender(db: Db, id: string): Promise<void> {
  await db.insert(senders).values({ id, startedAt: sql`now()`, heartbeatAt: sql`now()`, version: readServerVersion() })
}

/** Returns false if other nodes have expired this sender: its deliveries are `unknown`, and it needs a new id. */
async function heartbeat(db: Db | Tx, id: string): Promise<boolean> {
  const rows = await queryRows(db, sql`update senders set heartbeat_at = now() where id = ${id}::uuid returning 1`)
  return rows.length > 0
}

/**
 * Heartbeat inside the claim transaction. Also fixes the join order, because planning the nine joins of the claim takes
 * longer than running them.
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

/** Senders that looked stale, with the heartbeat that they had. */
export type StaleSenders = ReadonlyMap<string, string>

/**
 * Removes senders without a recent heartbeat and marks their deliveries `unknown`, since they may have been sent. With
 * `alone`, this is the only process, so every other sender is gone. Otherwise a sender is removed if it was stale at the
 * last look too and hasn't reported since: after the clock was set forward, or the machine was paused, all look stale.
 * @returns the stale senders that are left for the next look
 */
export async function expireStaleSenders(
  { database, clock }: Pick<SendingDeps, 'database' | 'clock'>,
  { own, staleAfterMs, alone, before = new Map() }: ExpireOptions,
): Promise<StaleSenders> {
  const { db } = database
  const isStale = sql`id <> ${own}::uuid and heartbeat_at < now() - make_interval(secs => ${staleAfterMs / 1000})`
  // A heartbeat from before the clock was set back would count until the clock has caught up.
  await db.execute(sql`update senders set heartbeat_at = now() where heartbeat_at > now()`)
  const seen = JSON.stringify([...before].map(([id, at]) => ({ id, at })))
  await db.execute(
    alone
      ? sql`delete from senders where id <> ${own}::uuid`
      : sql`delete from senders where ${isStale} and (id, heartbeat_at::text) in (
          select id, at from jsonb_to_recordset(${seen}::jsonb) as stale (id uuid, at text))`,
  )
  const left = await queryRows<{ id: string; at: string }>(
    db,
    sql`select id::text, heartbeat_at::text as at from senders where ${isStale}`,
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
  return new Map(left.map(({ id, at }) => [id, at]))
}

type ExpireOptions = {
  own: string
  staleAfterMs: number
  alone: boolean
  /** What the last look returned. */
  before?: StaleSenders
}

/** The id under which this process claims deliveries. It gets a new id after other nodes expired the old one. */
export type SenderIdentity = {
  current(): string
  /** True if the sender with this id certainly hasn't expired yet. */
  isTrusted(id: string): boolean
  /** Renews the heartbeat; registers a new id if the current one has expired. */
  heartbeat(): Promise<void>
  renew(): Promise<void>
  deregister(): Promise<void>
}

export async function createSenderIdentity(
  db: Db,
  { staleAfterMs }: { staleAfterMs: number },
): Promise<SenderIdentity> {
  let id = ''
  let heardAt = 0
  async function renew() {
    const next = randomUUID()
    const at = performance.now()
    await registerSender(db, next)
    id = next
    heardAt = at
  }
  await renew()
  return {
    current: () => id,
    // Half of the limit, since sending a message takes a while.
    isTrusted: (name) => name === id && performance.now() - heardAt < staleAfterMs / 2,
    async heartbeat() {
      const at = performance.now()
      if (await heartbeat(db, id)) heardAt = at
      else await renew()
    },
    renew,
    deregister: () => deregisterSender(db, id),
  }
}
