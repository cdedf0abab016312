import { type SQL, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { FreeSource } from '#server/db/schema/index.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import { announcedSql } from '#server/features/library/freshness/announce-changes.ts'
import { eligibilitySql } from '#server/features/publishing/deliverability/eligibility-sql.ts'
import type { MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import { reachedBy } from './audience-sql.ts'
import type { ClaimedDelivery } from './compose-delivery.ts'
import type { MailingRow, SendingDeps } from './mailing-row.ts'
import { isTestOpen } from './subject-test.ts'
import { availableQuota, hasLimits, quotaByDomain, recordPerSecondUsage, type Throttle } from './throttle.ts'

/** A place in the order of claims: by id, or by reader's hour and id if the mailing has readers' hours. */
export type ClaimPosition = { sendAt: string; id: string }

export const firstPosition: ClaimPosition = { sendAt: '-infinity', id: '0' }

export type ClaimRequest = {
  senderId: string
  emails: number
  /** Claim only rows after this one. Rows before it wait for a retry or for their domain's quota. */
  after: ClaimPosition
  /** Receiving domains that have used up their hourly quota. */
  fullDomains: ReadonlySet<string>
}

export type ClaimedBatch = {
  deliveries: ClaimedDelivery[]
  /** Rows that were examined. 0 means that nothing is due after the given position. */
  examined: number
  last: ClaimPosition
  /** When to claim again if the limits left no quota; otherwise 0. */
  waitMs: number
  /** Domains that have just used up their quota. */
  full: string[]
}

/**
 * Claims the next deliveries for this sender and suppresses those who may no longer receive the mailing. Access, account
 * and preferences are checked again because preparation may be days ago. Email goes to the account's current address.
 */
export async function claimBatch(
  tx: Tx,
  { config, clock }: Pick<SendingDeps, 'config' | 'clock'>,
  mailing: MailingRow,
  throttle: Throttle,
  wanted: ClaimRequest,
): Promise<ClaimedBatch> {
  const now = clock()
  const none = { deliveries: [], examined: 0, last: wanted.after, waitMs: 0, full: [] }
  const paced = hasLimits(throttle.limits)
  const quota = paced ? await availableQuota(tx, throttle, now) : { emails: wanted.emails, waitMs: 0 }
  const emails = Math.min(wanted.emails, quota.emails)
  if (emails <= 0) return { ...none, examined: 1, waitMs: Math.max(1, quota.waitMs) }
  const next = nextRows(mailing, wanted, emails, now)
  const byDomain = Object.keys(throttle.limits.perDomainHour).length > 0
  const { chosen, full, examined, lastExamined } = byDomain
    ? await pickWithinDomainQuota(tx, throttle, next, now)
    : { chosen: next, full: [], examined: null, lastExamined: null }
  const rows = chosen ? await claimRows(tx, config, mailing, wanted.senderId, chosen, byDomain, now) : []
  const deliveries = rows.flatMap((row) => (row.status === 'sending' ? [toClaimed(row, mailing, wanted.senderId)] : []))
  await recordPerSecondUsage(tx, throttle.limits, deliveries.length, now)
  const last = rows.at(-1)
  return {
    deliveries,
    examined: examined ?? rows.length,
    last: lastExamined ?? (last ? positionOf(last) : wanted.after),
    waitMs: 0,
    full,
  }
}

const reachesEveryAccount: readonly MailingKind[] = ['news', 'series', 'personal']

type Positioned = { id: string; send_at: string | null }

const positionOf = ({ id, send_at }: Positioned): ClaimPosition => ({ sendAt: send_at ?? firstPosition.sendAt, id })

/**
 * The recipients of a subject test alone are due until it is decided. With readers' hours the rows are read from an index in
 * the order of the hours, so that those who wait cost nothing.
 */
function nextRows({ id, readerHours, ...mailing }: MailingRow, wanted: ClaimRequest, emails: number, now: Date) {
  const { after, fullDomains } = wanted
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`
    select id, user_id, email, domain, send_at from deliveries
    where mailing_id = ${id}::uuid and status = 'pending'
      and ${
        readerHours
          ? sql`send_at is not null and send_at <= ${at}
              and (send_at, id) > (${after.sendAt}::timestamptz, ${after.id}::bigint)`
          : sql`id > ${after.id}::bigint`
      }
      ${isTestOpen(mailing) ? sql`and subject_index is not null` : sql``}
      and (next_attempt_at is null or next_attempt_at <= ${at})
      and domain not in (select jsonb_array_elements_text(${JSON.stringify([...fullDomains])}::jsonb))
    order by ${readerHours ? sql`send_at, id` : sql`id`} limit ${emails} for update skip locked`
}

/** Picks the next rows whose domain has quota left. */
async function pickWithinDomainQuota(tx: Tx, { limits }: Throttle, next: SQL, now: Date) {
  const rows = await queryRows<Positioned & { domain: string }>(
    tx,
    sql`select id::text, domain, send_at::text from (${next}) as next order by next.send_at, next.id`,
  )
  const last = rows.at(-1)
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
      ? sql`select id, user_id, email, domain, send_at from deliveries
          where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
      : null
  return { chosen, full: [...full], examined: rows.length, lastExamined: last ? positionOf(last) : null }
}

type ClaimedRow = Positioned & {
  user_id: string
  email: string
  name: string | null
  reader: string
  subject_index: number | null
  status: string
  attempts: number
  allows_tracking: boolean
  has_access: boolean
  free_source: FreeSource | null
  changes: string | null
  field_values: string | null
}

/** Claims the picked rows and records the throttle usage in one statement. */
async function claimRows(
  tx: Tx,
  config: SendingDeps['config'],
  mailing: MailingRow,
  senderId: string,
  chosen: SQL,
  byDomain: boolean,
  now: Date,
): Promise<ClaimedRow[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const address = sql`coalesce(u.email, next.email)`
  const { newsletterId } = mailing.audience
  const eligibility = eligibilitySql(mailing.kind, { user: sql`u`, email: address, now, newsletterId })
  const access = accessSql(config, sql`u`, now)
  const isReached = reachedBy(mailing, access.entitled, eligibility.isFreeReader)
  const lapsed =
    newsletterId === null && reachesEveryAccount.includes(mailing.kind)
      ? sql`null`
      : sql`case when not ${isReached} then 'not_entitled' end`
  const domains = byDomain ? sql`unnest(array['*', domain])` : sql`'*'`
  return queryRows<ClaimedRow>(
    tx,
    sql`
    with next as (${chosen}),
    judged as (
      select next.id, ${address} as email, ${eligibility.allowsTracking} as allows_tracking,
        ${access.entitled} as has_access, prefs.free_source,
        coalesce(${eligibility.cause}, case when ${address} is null then 'account_gone' end, ${lapsed}) as cause
      from next left join auth.users u on u.id = next.user_id ${eligibility.joins} ${access.joins}
    ),
    marked as (
      update deliveries d
      set status = case when judged.cause is null then 'sending' else 'suppressed' end, cause = judged.cause,
        sender_id = case when judged.cause is null then ${senderId}::uuid end,
        attempts = attempts + case when judged.cause is null then 1 else 0 end,
        email = judged.email, domain = coalesce(split_part(judged.email, '@', 2), d.domain), changed_at = ${at}
      from judged where d.id = judged.id
      returning d.id, d.send_at, d.user_id, d.email, d.domain, d.name, d.reader, d.subject_index, d.status, d.attempts, judged.allows_tracking,
        judged.has_access, judged.free_source
    ),
    paced as (
      insert into throttle_usage (domain, minute, sent)
      select name, date_trunc('minute', ${at}), count(*)
      from (select ${domains} as name from marked where status = 'sending') as emails group by name order by name
      on conflict (domain, minute) do update set sent = throttle_usage.sent + excluded.sent
    )
    select id::text, send_at::text, user_id::text, email, name, reader, subject_index, status, attempts, allows_tracking, has_access, free_source,
      ${announcedSql(mailing.id)} as changes,
      (select v.values::text from custom_field_values v where v.user_id = marked.user_id) as field_values
    from marked order by marked.send_at, marked.id`,
  )
}

const toClaimed = (row: ClaimedRow, mailing: MailingRow, senderId: string): ClaimedDelivery => ({
  id: row.id,
  userId: row.user_id,
  email: row.email,
  name: row.name,
  reader: row.reader,
  subjectIndex: row.subject_index ?? mailing.subjectTestResult?.decision?.winner ?? 0,
  allowsTracking: row.allows_tracking,
  hasAccess: row.has_access,
  freeSource: row.free_source,
  changes: row.changes?.split('\n') ?? [],
  fieldValues: row.field_values,
  attempts: row.attempts,
  senderId,
})
