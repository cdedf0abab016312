import { sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { domainLimit, type SendingLimits, warmUpLimit } from './sending-limits.ts'

/** Sending limits. Warm-up days start at midnight in the publication's time zone. */
export type Throttle = { limits: SendingLimits; timeZone: string }
export type Quota = { emails: number; waitMs: number }

/** The per-second limit allows bursts of this length. A shorter one would need a transaction per email. */
const burstMs = 250
const secondKey = 'sending:second'
/** Further ahead than a burst and than the clocks of nodes differ: the clock was set back. */
const maxAheadMs = 2 * minuteMs
/** Key of the advisory lock; must be unique in this database. */
const throttleLock = 7_340_312

export const hasLimits = ({ perSecond, perHour, perDomainHour, warmUp }: SendingLimits): boolean =>
  perSecond !== null || perHour !== null || warmUp !== null || Object.keys(perDomainHour).length > 0

/**
 * How many emails may be claimed now, or how long to wait. Usage is stored in the database for all nodes. An advisory lock
 * until the end of the transaction keeps two nodes from using the same quota.
 */
export async function availableQuota(tx: Tx, { limits, timeZone }: Throttle, now: Date): Promise<Quota> {
  await tx.execute(sql`select pg_advisory_xact_lock(${throttleLock})`)
  const quotas: Quota[] = []
  const untilNextMinute = minuteMs - (now.getTime() % minuteMs)
  const { perSecond, perHour } = limits
  if (perSecond !== null) quotas.push(await perSecondQuota(tx, perSecond, now))
  if (perHour !== null) {
    quotas.push({ emails: perHour - (await sentSince(tx, hourBefore(now))), waitMs: untilNextMinute })
  }
  const today = warmUpLimit(limits.warmUp, timeZone, now)
  if (today) quotas.push({ emails: today.limit - (await sentSince(tx, today.since)), waitMs: untilNextMinute })
  return {
    emails: Math.max(0, Math.min(...quotas.map(({ emails }) => emails), Number.MAX_SAFE_INTEGER)),
    waitMs: Math.max(0, ...quotas.filter(({ emails }) => emails <= 0).map(({ waitMs }) => waitMs)),
  }
}

/** The row in `rate_limits` holds the time up to which the per-second quota is used. All nodes share it. */
async function perSecondQuota(tx: Tx, perSecond: number, now: Date): Promise<Quota> {
  const [row] = await queryRows<{ spent_ms: string }>(
    tx,
    sql`select (extract(epoch from expires_at) * 1000)::text as spent_ms from rate_limits where key = ${secondKey}`,
  )
  const spentAheadMs = Number(row?.spent_ms ?? 0) - now.getTime()
  const aheadMs = spentAheadMs > maxAheadMs ? 0 : Math.max(0, spentAheadMs)
  const each = 1000 / perSecond
  const windowMs = Math.max(burstMs, each)
  return { emails: Math.floor((windowMs - aheadMs) / each + 1e-6), waitMs: Math.ceil(aheadMs + each - windowMs) }
}

/** Records emails against the per-second limit. */
export async function recordPerSecondUsage(
  tx: Tx,
  { perSecond }: SendingLimits,
  emails: number,
  now: Date,
): Promise<void> {
  if (perSecond === null || emails === 0) return
  const at = sql`${now.toISOString()}::timestamptz`
  const lasts = sql`make_interval(secs => ${emails / perSecond})`
  await tx.execute(sql`insert into rate_limits (key, points, expires_at) values (${secondKey}, 1, ${at} + ${lasts})
    on conflict (key) do update set expires_at = ${lasts} + case
      when rate_limits.expires_at > ${at} + make_interval(secs => ${maxAheadMs / 1000}) then ${at}
      else greatest(rate_limits.expires_at, ${at}) end`)
}

/** Start of the sliding hour of hourly limits: the last 60 clock minutes, including the current one. */
export const hourBefore = (now: Date) => new Date(Math.floor(now.getTime() / minuteMs) * minuteMs - 59 * minuteMs)

export async function sentSince(db: Db | Tx, since: Date): Promise<number> {
  const [row] = await queryRows<{ sent: string }>(
    db,
    sql`select coalesce(sum(sent), 0)::text as sent from throttle_usage
      where domain = '*' and minute >= ${since.toISOString()}::timestamptz`,
  )
  return Number(row?.sent ?? 0)
}

/** Remaining hourly quota of receiving domains. Domains without a limit are left out. */
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
