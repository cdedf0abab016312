import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { mailingCounts, mailings, senders } from '#server/db/schema/index.ts'
import { readServerVersion } from '#server/monitoring/server-version.ts'
import type { MailingStatus } from '#shared/contracts/publishing/newsletter.ts'
import { type ClaimedBatch, type ClaimRequest, claimBatch, firstPosition } from './claim-batch.ts'
import type { DeliveryResult } from './compose-delivery.ts'
import { lockMailing, lockMailingAndSettings, type MailingRow, type SendingDeps } from './mailing-row.ts'
import { emailPauseAlert, feedbackTotals, reasonToPause } from './pause-rules.ts'
import { decideDueSubjectTest, noteEndOfTest } from './subject-test.ts'
import type { Throttle } from './throttle.ts'

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
async function heartbeatForClaim(tx: Tx, id: string): Promise<boolean> {
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

type RecordAndClaimRequest = ClaimRequest & {
  mailingId: string
  results: readonly DeliveryResult[]
  /** Whether to check the pause rules this time. */
  checksPauseRules: boolean
  /** Ids this sender holds, if the previous transaction may or may not have been committed; otherwise null. */
  stillHeld: readonly string[] | null
}

export type RecordAndClaimResult = ClaimedBatch & {
  status: MailingStatus
  /** The limits that applied. */
  throttle: Throttle
}

/** Other nodes have expired this sender. Nothing was written. */
export class SenderExpired extends Error {
  override name = 'SenderExpired'
}

/**
 * Records the results of finished deliveries and claims the next batch in one transaction. An email is sent only after
 * its claim is committed.
 * @throws SenderExpired
 */
export async function recordAndClaim(
  deps: Pick<SendingDeps, 'config' | 'database' | 'clock' | 'enqueue'>,
  wanted: RecordAndClaimRequest,
): Promise<RecordAndClaimResult> {
  return deps.database.db.transaction(async (tx) => {
    const { mailing: held, settings } = await lockMailingAndSettings(tx, wanted.mailingId)
    let mailing = held
    const throttle = { limits: settings.limits, timeZone: settings.timeZone }
    if (!(await heartbeatForClaim(tx, wanted.senderId))) throw new SenderExpired()
    if (wanted.stillHeld) await releaseOthers(tx, wanted, wanted.stillHeld)
    if (wanted.results.length > 0) await record(tx, mailing, wanted.results, deps.clock())
    const nothing = { deliveries: [], examined: 0, last: wanted.after, waitMs: 0, full: [], throttle }
    if (mailing.status !== 'sending') return { ...nothing, status: mailing.status }
    const pauseReason = wanted.checksPauseRules ? await reasonFor(tx, mailing) : null
    if (pauseReason) {
      await change(tx, deps, mailing, { status: 'paused', pauseReason })
      await emailPauseAlert(tx, deps, mailing, pauseReason)
      return { ...nothing, status: 'paused' }
    }
    if (wanted.emails <= 0) return { ...nothing, examined: 1, status: 'sending' }
    mailing = await decideDueSubjectTest(tx, deps.config, mailing, deps.clock())
    const claimed = await claimBatch(tx, deps, mailing, throttle, wanted)
    const hasNothingDue = claimed.examined === 0 && wanted.after.id === firstPosition.id
    if (hasNothingDue) await noteEndOfTest(tx, mailing, deps.clock())
    const isDone = hasNothingDue && (await isEmpty(tx, mailing.id))
    if (isDone) await change(tx, deps, mailing, { status: 'sent', finishedAt: deps.clock() })
    return { ...claimed, throttle, status: isDone ? 'sent' : 'sending' }
  })
}

/**
 * Counts the accepted emails to readers who allow tracking, which rates of opens and clicks refer to. A late result still resolves an `unknown` delivery, unless it has been resent in the meantime.
 */
async function record(tx: Tx, { status }: MailingRow, results: readonly DeliveryResult[], now: Date) {
  const lines = results.map((result) => ({
    id: result.id,
    sender_id: result.senderId,
    status: result.status === 'pending' && status === 'stopped' ? 'stopped' : result.status,
    cause: result.cause,
    response: result.response,
    untried: result.untried,
    next_attempt_at: result.nextAttemptAt?.toISOString() ?? null,
  }))
  await tx.execute(sql`
    with recorded as (update deliveries d
    set status = r.status, cause = r.cause, response = r.response, next_attempt_at = r.next_attempt_at,
      attempts = d.attempts - case when r.untried then 1 else 0 end,
      sender_id = case when r.status = 'pending' then null else d.sender_id end,
      changed_at = ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r(
      id bigint, sender_id uuid, status text, cause text, response text, untried boolean, next_attempt_at timestamptz)
    where d.id = r.id and d.sender_id = r.sender_id
      and (d.status = 'sending' or (d.status = 'unknown' and r.status in ('submitted', 'failed')))
    returning d.mailing_id, d.user_id, d.status)
    insert into mailing_counts (mailing_id, name, value)
      select mailing_id, 'countable', count(*) from recorded join email_preferences p using (user_id)
      where recorded.status = 'submitted' and p.allows_tracking group by mailing_id
    on conflict (mailing_id, name, cause) do update set value = mailing_counts.value + excluded.value`)
}

/**
 * Releases rows that a commit with a lost response claimed for this sender; they were never sent. The lock on the mailing
 * waits for such a commit if it is still in progress.
 */
async function releaseOthers(tx: Tx, { mailingId, senderId }: RecordAndClaimRequest, held: readonly string[]) {
  await tx.execute(sql`update deliveries set status = 'pending', sender_id = null, attempts = attempts - 1
    where mailing_id = ${mailingId}::uuid and status = 'sending' and sender_id = ${senderId}::uuid
      and id not in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(held)}::jsonb))`)
}

async function reasonFor(tx: Tx, mailing: MailingRow) {
  const counts = await tx.select().from(mailingCounts).where(eq(mailingCounts.mailingId, mailing.id))
  return reasonToPause(feedbackTotals(counts), mailing.feedbackAtResume)
}

async function isEmpty(tx: Tx, mailingId: string): Promise<boolean> {
  const [row] = await queryRows<{ remain: boolean }>(
    tx,
    sql`select exists (select 1 from deliveries
      where mailing_id = ${mailingId}::uuid and status in ('pending', 'sending')) as remain`,
  )
  return row?.remain === false
}

async function change(
  tx: Tx,
  { clock }: Pick<SendingDeps, 'clock'>,
  { id }: MailingRow,
  values: Partial<typeof mailings.$inferInsert>,
) {
  await tx
    .update(mailings)
    .set({ ...values, updatedAt: clock() })
    .where(and(eq(mailings.id, id), eq(mailings.status, 'sending')))
}
