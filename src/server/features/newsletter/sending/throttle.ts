import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { domainLimit, type SendingLimits, warmUpLimit } from '#shared/domain/sending-limits.ts'

/** How fast may be sent; a day of the warm-up begins at midnight in the publication's zone. */
export type Throttle = { limits: SendingLimits; timeZone: string }
export type Room = { mails: number; waitMs: number }

const minuteMs = 60_000
/** Mails for so long may go out in one go; less would cost a transaction for each mail. */
const burstMs = 250
const secondKey = 'sending:second'
/** Any number that no other use of advisory locks in this database takes. */
const paceLock = 7_340_312

export const hasLimits = ({ perSecond, perHour, perDomainHour, warmUp }: SendingLimits): boolean =>
  perSecond !== null || perHour !== null || warmUp !== null || Object.keys(perDomainHour).length > 0

/**
 * How many mails may be claimed now, and when to ask again if none. What was claimed is on record for all nodes and
 * outlives them; the lock, held until the transaction ends, keeps two nodes from taking the same room.
 */
export async function availableQuota(tx: Tx, { limits, timeZone }: Throttle, now: Date): Promise<Room> {
  await tx.execute(sql`select pg_advisory_xact_lock(${paceLock})`)
  const rooms: Room[] = []
  const untilNextMinute = minuteMs - (now.getTime() % minuteMs)
  const { perSecond, perHour } = limits
  if (perSecond !== null) rooms.push(await roomInSecond(tx, perSecond, now))
  if (perHour !== null) {
    rooms.push({ mails: perHour - (await sentSince(tx, hourBefore(now))), waitMs: untilNextMinute })
  }
  const today = warmUpLimit(limits.warmUp, timeZone, now)
  if (today) rooms.push({ mails: today.limit - (await sentSince(tx, today.since)), waitMs: untilNextMinute })
  return {
    mails: Math.max(0, Math.min(...rooms.map(({ mails }) => mails), Number.MAX_SAFE_INTEGER)),
    waitMs: Math.max(0, ...rooms.filter(({ mails }) => mails <= 0).map(({ waitMs }) => waitMs)),
  }
}

/**
 * The instant until which the room of each second is spent stands in the table of limits, which all nodes share and
 * which forgets it when it has passed.
 */
async function roomInSecond(tx: Tx, perSecond: number, now: Date): Promise<Room> {
  const [row] = await queryRows<{ spent_ms: string }>(
    tx,
    sql`select (extract(epoch from expires_at) * 1000)::text as spent_ms from rate_limits where key = ${secondKey}`,
  )
  const aheadMs = Math.max(0, Number(row?.spent_ms ?? 0) - now.getTime())
  const each = 1000 / perSecond
  const windowMs = Math.max(burstMs, each)
  return { mails: Math.floor((windowMs - aheadMs) / each + 1e-6), waitMs: Math.ceil(aheadMs + each - windowMs) }
}

/** Writes down that so many mails of a second are spent. */
export async function recordSecond(tx: Tx, { perSecond }: SendingLimits, mails: number, now: Date): Promise<void> {
  if (perSecond === null || mails === 0) return
  const at = sql`${now.toISOString()}::timestamptz`
  const lasts = sql`make_interval(secs => ${mails / perSecond})`
  await tx.execute(sql`insert into rate_limits (key, points, expires_at) values (${secondKey}, 1, ${at} + ${lasts})
    on conflict (key) do update set expires_at = greatest(rate_limits.expires_at, ${at}) + ${lasts}`)
}

/** When the hour began that an hourly limit looks at: 60 minutes of the clock, this one included. */
export const hourBefore = (now: Date) => new Date(Math.floor(now.getTime() / minuteMs) * minuteMs - 59 * minuteMs)

export async function sentSince(db: Db | Tx, since: Date): Promise<number> {
  const [row] = await queryRows<{ sent: string }>(
    db,
    sql`select coalesce(sum(sent), 0)::text as sent from throttle_usage
      where domain = '*' and minute >= ${since.toISOString()}::timestamptz`,
  )
  return Number(row?.sent ?? 0)
}

/** What may still go to each of some receiving domains within the hour; domains without a limit are missing. */
export async function quotaByDomain(
  tx: Tx,
  limitsNow: Pick<SendingLimits, 'perDomainHour'>,
  domains: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const limits = new Map<string, number>()
  for (const domain of domains) {
    const limit = domainLimit(limitsNow, domain)
    if (limit !== undefined) limits.set(domain, limit)
  }
  if (limits.size === 0) return limits
  const sent = await queryRows<{ domain: string; sent: string }>(
    tx,
    sql`select domain, sum(sent)::text as sent from throttle_usage
      where domain in (select jsonb_array_elements_text(${JSON.stringify([...limits.keys()])}::jsonb))
        and minute >= ${hourBefore(now).toISOString()}::timestamptz group by domain`,
  )
  for (const row of sent) limits.set(row.domain, Math.max(0, (limits.get(row.domain) ?? 0) - Number(row.sent)))
  return limits
}
