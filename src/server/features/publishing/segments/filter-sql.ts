import { type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { escapeLike } from '#server/db/email-search.ts'
import { newsletter } from '#server/db/schema/index.ts'
import { productIdOf, productsOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { FilterNames } from '#shared/domain/describe-member-filter.ts'
import { dayMs } from '#shared/domain/durations.ts'
import {
  dayRangeParts,
  type FieldCondition,
  fieldWords,
  filledToken,
  numberRangeParts,
  type RangeParts,
  valueToken,
} from '#shared/domain/field-conditions.ts'
import { foldName } from '#shared/domain/fold-name.ts'
import {
  type AccountState,
  type EngagementKind,
  endingStatuses,
  failedPaymentStatuses,
  isPrefixSearch,
  type MemberFilter,
  type MemberStatus,
  maxLocations,
  periodBounds,
} from '#shared/domain/member-filter.ts'
import { newsletterOfStream } from '#shared/domain/newsletters.ts'
import { readPollToken } from '#shared/domain/poll.ts'

type Bounds = { from: Date | null; to: Date | null }
const unbounded: Bounds = { from: null, to: null }

/** For the transaction: reads members by an index, and keeps the positions of many matches in memory. */
export const indexOnly = sql`select set_config('enable_seqscan', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true)`

/** A filter as SQL over `member_facts f`. */
export type MemberFilterSql = {
  /** The members that match. */
  where: SQL
  /** Implied by `where`, and answered by the index on tokens and search texts. */
  indexed: SQL
  /** What `where` says beyond `indexed`. */
  rest: SQL
  /** Bounds of the time of joining and of the renewal. `where` includes them. */
  joined: Bounds
  renews: Bounds
}

/** Terms without a letter or digit aren't in the index on search texts, so they are looked up by address. */
function searchSql(term: string): { where: SQL; indexed: SQL } {
  const pattern = `${isPrefixSearch(term) ? '' : '%'}${escapeLike(term)}%`
  const where = sql`f.search like ${pattern}`
  if (!isPrefixSearch(term) || /[\p{L}\p{N}]/u.test(term)) return { where, indexed: where }
  return {
    where,
    indexed: sql`f.user_id in (select id from auth.users where email like ${pattern} or email is null)`,
  }
}

/** The statement depends on these; read them before compiling a filter for a list. */
type FilterContext = {
  /** Products of members' plans, or null if unknown. */
  productIds: readonly string[] | null
  /** Days of UTC on which the access of plans ended that Stripe hasn't ended, or null if unknown. */
  lapsedDays: readonly string[] | null
}
const noContext: FilterContext = { productIds: null, lapsedDays: null }

/** More days make the lookup slower than the members it leaves out. */
const maxLapsedDays = 40

export async function readFilterContext(db: Db, { statuses }: MemberFilter, now: Date): Promise<FilterContext> {
  return {
    productIds: statuses.includes('none') ? await readProductIds(db) : null,
    lapsedDays: statuses.includes('ended') ? await readLapsedDays(db, now) : null,
  }
}

/** Reads one index entry per product. */
async function readProductIds(db: Db): Promise<string[]> {
  const next = (after: SQL) => sql`(select product_id from member_facts
    where plan_status is not null and ${after} order by product_id limit 1)`
  const rows = await queryRows<{ id: string }>(
    db,
    sql`with recursive products (id) as (
        ${next(sql`product_id is not null`)} union all
        select ${next(sql`product_id > products.id`)} from products where products.id is not null)
      select id from products where id is not null`,
  )
  return rows.map(({ id }) => id)
}

/** Reads one index entry per day. */
async function readLapsedDays(db: Db, now: Date): Promise<string[] | null> {
  const lapsed = sql`plan_until > '-infinity' and plan_until <= ${now.toISOString()}::timestamptz`
  const startOfDay = sql`date_trunc('day', plan_until at time zone 'UTC') at time zone 'UTC'`
  const next = (before: SQL) => sql`(select ${startOfDay} from member_facts
    where ${lapsed} and ${before} order by plan_until desc limit 1)`
  const rows = await queryRows<{ day: string }>(
    db,
    sql`with recursive days (start) as (
        ${next(sql`true`)} union all
        select ${next(sql`plan_until < days.start`)} from days where days.start is not null)
      select to_char(start at time zone 'UTC', 'YYYY-MM-DD') as day from days
      where start is not null limit ${maxLapsedDays + 1}`,
  )
  return rows.length > maxLapsedDays ? null : rows.map(({ day }) => day)
}

/** The members that match a filter, as SQL. Without a context, `indexed` includes more members. */
export function memberFilterSql(
  config: Pick<Config, 'settings' | 'stripe'>,
  filter: MemberFilter,
  now: Date,
  context: FilterContext = noContext,
): MemberFilterSql {
  const states = statesSql(config, now)
  const where: SQL[] = []
  const indexed: SQL[] = []
  const rest: SQL[] = []
  /** A condition that the index answers by itself. */
  const addIndexed = (condition: SQL) => {
    where.push(condition)
    indexed.push(condition)
  }
  const addOther = (...conditions: readonly SQL[]) => {
    where.push(...conditions)
    rest.push(...conditions)
  }
  const addTokens = (tokens: readonly string[]) => addIndexed(sql`f.tokens && ${textArray(tokens)}`)

  if (filter.search) {
    const search = searchSql(foldName(filter.search))
    if (search.indexed === search.where) addIndexed(search.where)
    else {
      addOther(search.where)
      indexed.push(search.indexed)
    }
  }
  if (filter.tags.length > 0) {
    addTokens(filter.tags.map((tag) => `tag:${tag}`))
  }
  if (filter.sources.length > 0) {
    addOther(
      sql`f.user_id in (select user_id from member_sources where first_source = any(${textArray(filter.sources)}))`,
    )
  }
  if (filter.polls.length > 0) {
    const votes = filter.polls.map(readPollToken)
    addOther(sql`f.user_id in (select v.user_id from poll_votes v join unnest(
      ${textArray(votes.map(({ issueId }) => issueId))}, ${textArray(votes.map(({ answer }) => answer))}
    ) as chosen(issue_id, answer) on v.issue_id = chosen.issue_id and v.answer = chosen.answer)`)
  }
  if (filter.noted !== null) {
    addOther(filter.noted ? sql`f.noted` : sql`not f.noted`)
    if (filter.noted) indexed.push(sql`f.tokens && '{noted}'`)
  }
  if (filter.account.length > 0) {
    const instant = sql`${now.toISOString()}::timestamptz`
    const conditions = {
      ...accountConditions,
      disabled: sql`coalesce(f.disabled_until > ${instant}, false)`,
      canceling: sql`(coalesce(f.plan_status = any(${textArray(endingStatuses)}), false) and f.renews_at = 'infinity')`,
      payment_failed: sql`coalesce(f.plan_status = any(${textArray(failedPaymentStatuses)}), false)`,
    }
    addOther(anyOf(filter.account.map((state) => conditions[state])))
    const tokens = filter.account.flatMap((state) => indexedStates[state] ?? [state])
    indexed.push(sql`f.tokens && ${textArray(tokens)}`)
  }
  // Whoever has or had a plan has another status.
  const statuses = filter.plans.length > 0 ? filter.statuses.filter((status) => status !== 'none') : filter.statuses
  if (filter.statuses.length > 0 && statuses.length === 0) {
    addOther(sql`false`)
    indexed.push(sql`false`)
  }
  if (statuses.length > 0) {
    addOther(anyOf(statuses.map((status) => states.is[status])))
    const tokens = statusTokens(config, statuses, context)
    if (statuses.every((status) => status === 'free')) indexed.push(isFreeReader)
    else if (tokens) indexed.push(sql`f.tokens && ${textArray(tokens)}`)
  }
  if (filter.plans.length > 0) {
    const ids = filter.plans.map((plan) => productIdOf(config, plan))
    const seatIds = ids.filter((id) => productsOf(config).team.has(id))
    const own = sql`(f.plan_status is not null and coalesce(f.product_id = any(${textArray(ids)}), false))`
    const seat = sql`(${states.is.team_seat} and f.seat_product_id = any(${textArray(seatIds)}))`
    addOther(seatIds.length > 0 ? sql`(${own} or ${seat})` : own)
    indexed.push(
      sql`f.tokens && ${textArray([...ids.map((id) => `plan:${id}`), ...(seatIds.length > 0 ? ['seat'] : [])])}`,
    )
  }
  if (filter.focusAreas.length > 0) addTokens(filter.focusAreas.map((area) => `area:${area}`))
  if (filter.goals.length > 0) addTokens(filter.goals.map((goal) => `goal:${goal}`))
  if (filter.aiLevels.length > 0) addTokens(filter.aiLevels.map((level) => `level:${level}`))
  if (filter.franchiseTypes.length > 0) addTokens(filter.franchiseTypes.map((type) => `type:${type}`))
  if (filter.locations) {
    const { min, max } = filter.locations
    addOther(sql`f.locations >= ${min}::int`)
    if (max !== null) addOther(sql`f.locations <= ${max}::int`)
    const counts = Array.from({ length: (max ?? maxLocations) - min + 1 }, (_, at) => `locations:${min + at}`)
    indexed.push(sql`f.tokens && ${textArray(counts)}`)
  }
  if (filter.engagement) {
    const { kind, within, days } = filter.engagement
    const since = new Date(now.getTime() - days * dayMs)
    const recent = recentSql(kind, since)
    addOther(within ? recent : sql`not ${recent}`)
    if (!within && kind === 'read') {
      addOther(sql`f.user_id in (select user_id from email_preferences where allows_tracking)`)
    }
    if (within && kind !== 'tried' && kind !== 'read')
      indexed.push(sql`f.tokens && ${textArray(monthsBetween(since, now).map((month) => `${kind}:${month}`))}`)
  }
  if (filter.newsletters.length > 0) addOther(streamsSql(filter.newsletters, true))
  if (filter.unsubscribedFrom.length > 0) addOther(streamsSql(filter.unsubscribedFrom, false))
  for (const condition of filter.fields) {
    const field = fieldConditionSql(condition)
    if (field.indexed) indexed.push(field.indexed)
    if (field.rest) rest.push(field.rest)
    where.push(field.where)
  }
  const joined = filter.joined ? periodBounds(filter.joined, now, 'past') : unbounded
  const renews = filter.renews ? periodBounds(filter.renews, now, 'future') : unbounded
  addOther(boundsSql(sql`f.created_at`, joined), boundsSql(sql`f.renews_at`, renews))
  // A member without a renewal sorts as infinite.
  if (filter.renews) addOther(sql`f.renews_at < 'infinity'`)
  if (filter.renews) indexed.push(sql`f.tokens && ${textArray(renewalTokens(renews))}`)
  return { where: allOf(where), indexed: allOf(indexed), rest: allOf(rest), joined, renews }
}

/** Names of the fields and newsletters in a filter, for describing it. */
export const readFilterNames = async (db: Db | Tx, filter: MemberFilter): Promise<FilterNames> => ({
  fields: filter.fields.length > 0 ? await readCustomFields(db) : [],
  newsletters:
    filter.newsletters.length + filter.unsubscribedFrom.length > 0
      ? await db.select({ id: newsletter.id, name: newsletter.name }).from(newsletter)
      : [],
})

/** Streams of which a member gets any, or turned any off. Answered by the indexes on preferences and subscriptions. */
function streamsSql(streams: readonly string[], subscribed: boolean): SQL {
  const prefers = (isOff: SQL) =>
    sql`${subscribed ? sql`not ` : sql``}exists (select 1 from email_preferences p where p.user_id = f.user_id and ${isOff})`
  const conditions = streams.map((stream) => {
    if (stream === 'drops') return prefers(sql`p.drops = 'off'`)
    if (stream === 'news') return prefers(sql`not p.news`)
    return sql`exists (select 1 from newsletter_subscription s where s.newsletter_id = ${newsletterOfStream(stream)}::int
      and s.user_id = f.user_id and ${subscribed ? sql`s.subscribed` : sql`not s.subscribed`})`
  })
  return anyOf(conditions)
}

/** `indexed` is null if the index on tokens doesn't help, and `rest` if it says it all. */
type FieldSql = { where: SQL; indexed: SQL | null; rest: SQL | null }

/** The members who meet a condition on a field, as SQL. */
function fieldConditionSql(condition: FieldCondition): FieldSql {
  const { field } = condition
  const tokens = (parts: readonly string[]) => textArray(parts.map((part) => valueToken(field, part)))
  const filled = sql`f.field_tokens && ${textArray([filledToken(field)])}`
  const exact = (where: SQL) => ({ where, indexed: where, rest: null })
  if ('filled' in condition) {
    return condition.filled ? exact(filled) : { where: sql`not ${filled}`, indexed: null, rest: sql`not ${filled}` }
  }
  if ('anyOf' in condition) return exact(sql`f.field_tokens && ${tokens(condition.anyOf)}`)
  if ('words' in condition) return exact(sql`f.field_tokens @> ${tokens(fieldWords(condition.words))}`)
  if ('min' in condition) {
    const { min, max } = condition
    const value = sql`(v.values -> ${String(field)}::text)`
    return rangeSql(field, numberRangeParts(min, max), 'number', [
      ...(min === null ? [] : [sql`${value} >= ${JSON.stringify(min)}::jsonb`]),
      ...(max === null ? [] : [sql`${value} <= ${JSON.stringify(max)}::jsonb`]),
    ])
  }
  const { from, to } = condition
  const value = sql`(v.values ->> ${String(field)}::text) collate "C"`
  return rangeSql(field, dayRangeParts(from, to), 'string', [
    ...(from === null ? [] : [sql`${value} >= ${from}::text`]),
    ...(to === null ? [] : [sql`${value} <= ${to}::text`]),
  ])
}

/**
 * Values between bounds. A value is looked up only if its tokens don't tell, one member after the other: as a join, it
 * would read the values of all members.
 */
function rangeSql(field: number, parts: RangeParts | null, type: string, comparisons: readonly SQL[]): FieldSql {
  const hasAny = (names: readonly string[]) =>
    sql`f.field_tokens && ${textArray(names.map((part) => valueToken(field, part)))}`
  const isBetween = sql`coalesce((select jsonb_typeof(v.values -> ${String(field)}::text) = ${type} and ${allOf(comparisons)}
    from custom_field_values v where v.user_id = f.user_id), false)`
  if (!parts) {
    const indexed = sql`f.field_tokens && ${textArray([filledToken(field)])}`
    return { where: sql`(${indexed} and ${isBetween})`, indexed, rest: isBetween }
  }
  const { inside, edge } = parts
  const indexed = hasAny([...inside, ...edge])
  if (edge.length === 0) return { where: indexed, indexed, rest: null }
  const isNearEdge = sql`(${hasAny(edge)} and ${isBetween})`
  const where = inside.length === 0 ? isNearEdge : sql`(${hasAny(inside)} or ${isNearEdge})`
  return { where, indexed, rest: inside.length === 0 ? isBetween : where }
}

const accountConditions = { suppressed: sql`f.suppressed`, unconfirmed: sql`not f.email_confirmed` }

/** Looking up more days costs more than the members that it leaves out. */
const maxRenewalDays = 31

const renewalTokens = ({ from, to }: Bounds): string[] => {
  const isShort = from && to && to.getTime() - from.getTime() <= maxRenewalDays * dayMs
  const days = isShort ? daysBetween(from, to) : []
  return days.length > 0 && days.length <= maxRenewalDays ? days.map((day) => `renews:${day}`) : ['renews']
}

/** Days of UTC that a period touches. */
function daysBetween(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / dayMs)
  const count = Math.ceil(to.getTime() / dayMs) - first
  return Array.from({ length: count }, (_, at) => new Date((first + at) * dayMs).toISOString().slice(0, 10))
}

export const boundsSql = (column: SQL, { from, to }: Bounds): SQL =>
  allOf([
    ...(from ? [sql`${column} >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`${column} < ${to.toISOString()}::timestamptz`] : []),
  ])

/** Tokens of the statuses with a plan. */
const planStatuses: Partial<Record<MemberStatus, readonly string[]>> = {
  active: ['status:active', 'status:pausing'],
  paused: ['status:pausing', 'status:paused'],
  trial: ['status:trialing'],
  past_due: ['status:past_due'],
  ended: ['status:canceled', 'status:unpaid'],
}

const lastColumns: Record<Exclude<EngagementKind, 'tried' | 'read'>, SQL> = {
  signed_in: sql`f.last_signed_in_at`,
  opened: sql`f.last_opened_at`,
  clicked: sql`f.last_clicked_at`,
}

/** What a reader tried and took back doesn't count. */
function recentSql(kind: EngagementKind, since: Date): SQL {
  const instant = sql`${since.toISOString()}::timestamptz`
  if (kind === 'read') {
    return sql`(coalesce(greatest(f.last_opened_at, f.last_clicked_at) >= ${instant}, false) or exists (
      select 1 from reading_state r where r.user_id = f.user_id and greatest(r.read_at, r.position_at) >= ${instant}))`
  }
  if (kind !== 'tried') return sql`coalesce(${lastColumns[kind]} >= ${instant}, false)`
  return sql`exists (select 1 from tries t where t.user_id = f.user_id
    and greatest(t.started_at, t.answered_at) >= ${instant} and (t.removed_at is null or t.answered_at > t.removed_at))`
}

const isFreeReader = sql`(f.email_confirmed and f.user_id in (
  select user_id from email_preferences where free_since is not null))`

/** The status of a member, as SQL. */
function statesSql(config: Pick<Config, 'settings' | 'stripe'>, now: Date) {
  const instant = sql`${now.toISOString()}::timestamptz`
  const { known, team } = productsOf(config)
  const isKnown = sql`coalesce(f.product_id = any(${textArray([...known])}), false)`
  const own = sql`(${isKnown} and coalesce(f.plan_until > ${instant}, false))`
  const seat = sql`coalesce(f.seat_product_id = any(${textArray([...team])}) and f.seat_until > ${instant}, false)`
  const given = sql`coalesce(f.complimentary_until > ${instant}, false)`
  const noAccess = sql`not ${own} and not ${seat} and not ${given}`
  const hadPlan = sql`(${isKnown} and f.plan_status is not null)`
  // A pause is scheduled or has begun. Access lasts until it begins.
  const paused = sql`(${isKnown} and coalesce(f.plan_status in ('pausing', 'paused'), false))`
  const is: Record<MemberStatus, SQL> = {
    active: sql`(${own} and f.plan_status in ('active', 'pausing'))`,
    trial: sql`(${own} and f.plan_status = 'trialing')`,
    past_due: sql`(${own} and f.plan_status = 'past_due')`,
    team_seat: sql`(not ${own} and ${seat})`,
    complimentary: sql`(not ${own} and not ${seat} and ${given})`,
    paused: sql`(${noAccess} and ${paused})`,
    ended: sql`(${noAccess} and ${hadPlan} and not ${paused} and not ${isFreeReader})`,
    free: sql`(${noAccess} and not ${paused} and ${isFreeReader})`,
    none: sql`(${noAccess} and not ${hadPlan} and not ${isFreeReader})`,
  }
  return { is, own, seat }
}

/** The product that opens the portal, and the status, for a select list. */
export const statusSql = (config: Pick<Config, 'settings' | 'stripe'>, now: Date): { status: SQL; productId: SQL } => {
  const { is, own, seat } = statesSql(config, now)
  const cases = Object.entries(is).map(([status, condition]) => sql`when ${condition} then ${sql.raw(`'${status}'`)}`)
  return {
    status: sql`case ${sql.join(cases, sql` `)} end`,
    productId: sql`case when not ${own} and ${seat} then f.seat_product_id when f.plan_status is not null then f.product_id end`,
  }
}

/** Tokens of which all members with one of these statuses have one, or null if the index doesn't help. */
function statusTokens(
  config: Pick<Config, 'settings' | 'stripe'>,
  statuses: readonly MemberStatus[],
  { productIds, lapsedDays }: FilterContext,
): string[] | null {
  // Free readers have no token of their own; a plan that ended leaves the same ones.
  if (statuses.includes('free') || (statuses.includes('none') && !productIds)) return null
  const { known } = productsOf(config)
  const others: Partial<Record<MemberStatus, readonly string[]>> = {
    team_seat: ['seat'],
    complimentary: ['complimentary'],
    // A product that is no longer sold counts as none.
    none: ['status:none', 'plan:none', ...(productIds ?? []).filter((id) => !known.has(id)).map((id) => `plan:${id}`)],
  }
  // Plans that Stripe hasn't ended: unpaid for more than a week, or not synced since.
  const lapsed = lapsedDays?.map((day) => `until:${day}`) ?? ['status:active', 'status:trialing', 'status:past_due']
  return [
    ...statuses.flatMap((status) => planStatuses[status] ?? others[status] ?? []),
    ...(statuses.includes('ended') ? lapsed : []),
  ]
}

/** Months of UTC as in tokens, and the one after, because members' clocks are ahead of a test's. */
function monthsBetween(from: Date, to: Date): string[] {
  const months: string[] = []
  const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1))
  while (month <= to) {
    months.push(month.toISOString().slice(0, 7))
    month.setUTCMonth(month.getUTCMonth() + 1)
  }
  return [...months, month.toISOString().slice(0, 7)]
}

const failedPaymentTokens = failedPaymentStatuses.map((status) => `status:${status}`)

/** Tokens of states that have none of their own. */
const indexedStates: Partial<Record<AccountState, readonly string[]>> = {
  payment_failed: failedPaymentTokens,
  canceling: endingStatuses.map((status) => `status:${status}`),
}

/** Plans whose pause has begun. */
export const isPausedSql = (now: Date): SQL =>
  sql`(f.tokens && ${textArray(planStatuses.paused ?? [])} and coalesce(f.plan_until <= ${now.toISOString()}::timestamptz, true))`

/** Members whose payment failed and hasn't been collected, as in the filter. The index on tokens answers it. */
export const hasFailedPayment = sql`f.tokens && ${textArray(failedPaymentTokens)}`

const allOf = (conditions: readonly SQL[]) =>
  conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`
const anyOf = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` or `)})`

function textArray(words: readonly string[]): SQL {
  return sql`${sql.param(`{${words.map((word) => JSON.stringify(word)).join(',')}}`)}::text[]`
}
