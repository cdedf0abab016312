import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { accessSql } from '#server/features/billing/access.ts'
import { receivable } from '#server/features/deliverability/receivable.ts'
import type { ClaimedDelivery } from './delivery.ts'
import type { MailingRow } from './mailing-row.ts'
import type { SendingDeps } from './sending-deps.ts'
import { availableQuota, hasLimits, quotaByDomain, recordSecond, type Throttle } from './throttle.ts'

export type ClaimRequest = {
  senderId: string
  mails: number
  /** Only rows after this one: what lies before it waits for a later time or a domain's turn. */
  afterId: string
  /** Receiving domains that are full for the time being. */
  fullDomains: ReadonlySet<string>
}

export type ClaimedBatch = {
  deliveries: ClaimedDelivery[]
  /** Rows that were looked at; none means that nothing is left after `afterId`. */
  seen: number
  lastId: string
  /** When to ask again, where the limits left no room. */
  waitMs: number
  /** Domains that turned out to be full. */
  full: string[]
}

/**
 * Marks the next few as under way, and as suppressed those who may receive it no more: access, account and wishes are
 * asked again here, as days may lie between preparation and the last mail. A mail goes to the account's present address.
 */
export async function claimBatch(
  tx: Tx,
  { config, clock }: Pick<SendingDeps, 'config' | 'clock'>,
  mailing: MailingRow,
  throttle: Throttle,
  wanted: ClaimRequest,
): Promise<ClaimedBatch> {
  const now = clock()
  const none = { deliveries: [], seen: 0, lastId: wanted.afterId, waitMs: 0, full: [] }
  const paced = hasLimits(throttle.limits)
  const room = paced ? await availableQuota(tx, throttle, now) : { mails: wanted.mails, waitMs: 0 }
  const mails = Math.min(wanted.mails, room.mails)
  if (mails <= 0) return { ...none, seen: 1, waitMs: Math.max(1, room.waitMs) }
  const next = nextRows(mailing.id, wanted, mails, now)
  const byDomain = Object.keys(throttle.limits.perDomainHour).length > 0
  const { chosen, full, seen, lastId } = byDomain
    ? await withinDomains(tx, throttle, next, now)
    : { chosen: next, full: [], seen: null, lastId: null }
  const rows = chosen ? await mark(tx, config, mailing, wanted.senderId, chosen, byDomain, now) : []
  const deliveries = rows.flatMap((row) => (row.status === 'sending' ? [toClaimed(row, wanted.senderId)] : []))
  await recordSecond(tx, throttle.limits, deliveries.length, now)
  const last = rows.reduce((id, row) => (BigInt(row.id) > BigInt(id) ? row.id : id), wanted.afterId)
  return { deliveries, seen: seen ?? rows.length, lastId: lastId ?? last, waitMs: 0, full }
}

const nextRows = (mailingId: string, { afterId, fullDomains }: ClaimRequest, mails: number, now: Date) => sql`
  select id, user_id, email, domain from deliveries
  where mailing_id = ${mailingId}::uuid and status = 'pending' and id > ${afterId}::bigint
    and (next_attempt_at is null or next_attempt_at <= ${now.toISOString()}::timestamptz)
    and domain not in (select jsonb_array_elements_text(${JSON.stringify([...fullDomains])}::jsonb))
  order by id limit ${mails} for update skip locked`

/** Of the next rows those whose domain has room. */
async function withinDomains(tx: Tx, { limits }: Throttle, next: SQL, now: Date) {
  const rows = await queryRows<{ id: string; domain: string }>(
    tx,
    sql`select id::text, domain from (${next}) as next order by next.id`,
  )
  const room = await quotaByDomain(tx, limits, [...new Set(rows.map(({ domain }) => domain))], now)
  const full = new Set<string>()
  const ids = rows.flatMap(({ id, domain }) => {
    const left = room.get(domain)
    if (left === undefined) return [id]
    room.set(domain, left - 1)
    if (left <= 1) full.add(domain)
    return left > 0 ? [id] : []
  })
  const chosen =
    ids.length > 0
      ? sql`select id, user_id, email, domain from deliveries
          where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
      : null
  return { chosen, full: [...full], seen: rows.length, lastId: rows.at(-1)?.id ?? null }
}

type MarkedRow = {
  id: string
  user_id: string
  email: string
  name: string | null
  reader: string
  status: string
  attempts: number
  allows_tracking: boolean
}

/** One statement: the rows, why some get nothing, and the record of the limits. */
async function mark(
  tx: Tx,
  config: SendingDeps['config'],
  mailing: MailingRow,
  senderId: string,
  chosen: SQL,
  byDomain: boolean,
  now: Date,
): Promise<MarkedRow[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const address = sql`coalesce(u.email, next.email)`
  const wishes = receivable(mailing.kind, { user: sql`u`, email: address, now })
  const access = accessSql(config, sql`u`, now)
  const lapsed = mailing.kind === 'news' ? sql`null` : sql`case when not ${access.entitled} then 'not_entitled' end`
  const domains = byDomain ? sql`unnest(array['*', domain])` : sql`'*'`
  return queryRows<MarkedRow>(
    tx,
    sql`
    with next as (${chosen}),
    judged as (
      select next.id, ${address} as email, ${wishes.allowsTracking} as allows_tracking,
        coalesce(${wishes.cause}, case when ${address} is null then 'account_gone' end, ${lapsed}) as cause
      from next left join auth.users u on u.id = next.user_id ${wishes.joins} ${access.joins}
    ),
    marked as (
      update deliveries d
      set status = case when judged.cause is null then 'sending' else 'suppressed' end, cause = judged.cause,
        sender_id = case when judged.cause is null then ${senderId}::uuid end,
        attempts = attempts + case when judged.cause is null then 1 else 0 end,
        email = judged.email, domain = coalesce(split_part(judged.email, '@', 2), d.domain), changed_at = ${at}
      from judged where d.id = judged.id
      returning d.id, d.user_id, d.email, d.domain, d.name, d.reader, d.status, d.attempts, judged.allows_tracking
    ),
    paced as (
      insert into throttle_usage (domain, minute, sent)
      select name, date_trunc('minute', ${at}), count(*)
      from (select ${domains} as name from marked where status = 'sending') as mails group by name order by name
      on conflict (domain, minute) do update set sent = throttle_usage.sent + excluded.sent
    )
    select id::text, user_id::text, email, name, reader, status, attempts, allows_tracking from marked order by id`,
  )
}

const toClaimed = (row: MarkedRow, senderId: string): ClaimedDelivery => ({
  id: row.id,
  userId: row.user_id,
  email: row.email,
  name: row.name,
  reader: row.reader,
  allowsTracking: row.allows_tracking,
  attempts: row.attempts,
  senderId,
})
