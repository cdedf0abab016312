import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type Db, queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { SendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import { domainLimit, warmUpLimit } from '../sending/sending-limits.ts'
import { hasLimits, hourBefore, sentSince } from '../sending/throttle.ts'
import { estimateSending, type SendingSituation, type SentInMinute, type WaitingDomain } from './estimate-sending.ts'

/** Full receiving domains to name on the page. */
const maxNamedDomains = 5
/** Up to this many waiting deliveries are counted on every request, which takes a few milliseconds. */
const maxCountedLive = 5_000
const countsTtlMs = 20_000

type Waiting = { domains: Omit<WaitingDomain, 'lastHour'>[]; retries: SendingSituation['retries'] }
export type EstimateMailing = (id: string, pending: number) => Promise<Mailing['estimate']>

/** Estimates why a mailing waits and when it will finish. Deliveries of large mailings are counted every 20 seconds. */
export function createEstimateMailing({ database, clock }: Pick<Deps, 'database' | 'clock'>): EstimateMailing {
  const counted = new LRUCache<string, Waiting>({ max: 20, ttl: countsTtlMs })
  return async (id, pending) => {
    if (pending === 0) return null
    const { db } = database
    const now = clock()
    const settings = await readSendingSettings(db)
    const known = pending > maxCountedLive ? counted.get(id) : undefined
    const waiting = known ?? (await countWaiting(db, id, settings, now))
    if (!known) counted.set(id, waiting)
    if (!hasLimits(settings.limits) && !waiting.retries) return null
    const situation = await readSituation(db, settings, waiting.domains, now)
    const elsewhere = (await pendingInAll(db)) - pending
    const estimate = estimateSending({ ...situation, elsewhere: Math.max(0, elsewhere), retries: waiting.retries })
    return {
      ...estimate,
      fullDomains: estimate.fullDomains.slice(0, maxNamedDomains),
      resumesAt: estimate.resumesAt?.toISOString() ?? null,
      finishesAt: estimate.finishesAt?.toISOString() ?? null,
    }
  }
}

const waitingSchema = z.array(
  z.object({
    domain: z.string(),
    ready: z.coerce.number(),
    deferred: z.coerce.number(),
    first: z.coerce.date().nullable(),
    last: z.coerce.date().nullable(),
    hour: z.coerce.date().nullable(),
  }),
)

/** Domains are grouped as one if no domain has a limit. */
async function countWaiting(db: Db, id: string, { limits }: SendingSettings, now: Date): Promise<Waiting> {
  const isLimited = Object.keys(limits.perDomainHour).length > 0
  const at = sql`${now.toISOString()}::timestamptz`
  const dueAt = sql`greatest(next_attempt_at, send_at)`
  const later = sql`${dueAt} > ${at}`
  const rows = waitingSchema.parse(
    await queryRows(
      db,
      sql`select domain, count(*) filter (where not coalesce(${later}, false)) as ready, count(*) filter (where ${later}) as deferred,
          min(${dueAt}) filter (where ${later}) as first, max(${dueAt}) filter (where ${later}) as last,
          min(send_at) filter (where send_at > ${at}) as hour
        from (select ${isLimited ? sql`domain` : sql`''`} as domain, next_attempt_at, send_at from deliveries
          where mailing_id = ${id}::uuid and status = 'pending') as waiting
        group by domain order by domain`,
    ),
  )
  const times = rows.flatMap(({ first, last }) => (first && last ? [first.getTime(), last.getTime()] : []))
  const first = Math.min(...times)
  const isReaderHour = rows.some(({ hour }) => hour?.getTime() === first)
  return {
    domains: rows.map(({ domain, ready, deferred }) => ({ domain, ready, deferred })),
    retries: times.length > 0 ? { first: new Date(first), last: new Date(Math.max(...times)), isReaderHour } : null,
  }
}

const minutesSchema = z.array(z.object({ domain: z.string(), minute: z.coerce.date(), sent: z.coerce.number() }))

/** Emails sent within the last hour, and today if a warm-up applies. */
async function readSituation(db: Db, { limits, timeZone }: SendingSettings, waiting: Waiting['domains'], now: Date) {
  const limited = waiting.filter(({ domain }) => domainLimit(limits, domain) !== undefined).map(({ domain }) => domain)
  const rows = minutesSchema.parse(
    await queryRows(
      db,
      sql`select domain, minute, sent from throttle_usage
        where minute >= ${hourBefore(now).toISOString()}::timestamptz
          and domain in (select jsonb_array_elements_text(${JSON.stringify(['*', ...limited])}::jsonb))
        order by domain, minute`,
    ),
  )
  const byDomain = Map.groupBy(rows, ({ domain }) => domain)
  const lastHour = (domain: string): SentInMinute[] => byDomain.get(domain) ?? []
  const today = warmUpLimit(limits.warmUp, timeZone, now)
  return {
    now,
    timeZone,
    limits,
    domains: waiting.map((group) => ({
      ...group,
      lastHour: limited.includes(group.domain) ? lastHour(group.domain) : [],
    })),
    sentToday: today ? await sentSince(db, today.since) : 0,
    lastHour: lastHour('*'),
  }
}

/** Reads the stored counts: one row per mailing that is being sent. */
async function pendingInAll(db: Db): Promise<number> {
  const [row] = await queryRows<{ pending: string }>(
    db,
    sql`select coalesce(sum(c.value), 0)::text as pending from mailings m
      join mailing_counts c on c.mailing_id = m.id and c.name = 'pending' where m.status = 'sending'`,
  )
  return Number(row?.pending ?? 0)
}
