import { type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { escapeLike, readSearchParts } from '#server/db/email-search.ts'
import { productsOf } from '#server/features/billing/plan-ids.ts'
import {
  dayMs,
  type EngagementKind,
  failedPaymentStatuses,
  isPrefixSearch,
  type MemberFilter,
  type MemberStatus,
  maxLocations,
  periodBounds,
} from '#shared/domain/member-filter.ts'

type Bounds = { from: Date | null; to: Date | null }
const unbounded: Bounds = { from: null, to: null }

/** A filter as SQL over `member_facts f`. */
export type MemberFilterSql = {
  /** The members that match. */
  where: SQL
  /** Implied by `where`, and answered by the index on tokens. */
  indexed: SQL
  /** Of the time of joining and of the renewal, included in `where`. */
  joined: Bounds
  renews: Bounds
  /** Implied by `where`. Each has an index on the time of joining. */
  streams: (SQL | { tag: string })[]
}

/** Short terms are looked up by address, which has an index for prefixes. */
function searchSql(term: string, parts: readonly string[]): { where: SQL; indexed: SQL } {
  if (isPrefixSearch(term)) {
    const prefix = `${escapeLike(term)}%`
    return {
      where: sql`f.search like ${prefix}`,
      indexed: sql`f.user_id in (select id from auth.users where email like ${prefix} or email is null)`,
    }
  }
  const inOrder = (parts.length > 0 ? parts : [term]).map(escapeLike).join('%')
  return { where: sql`strpos(f.search, ${term}) > 0`, indexed: sql`f.search like ${`%${inOrder}%`}` }
}

/** Columns whose index predicate is a condition of its own. */
const streamOf = {
  suppressed: sql`f.suppressed`,
  unconfirmed: sql`not f.email_confirmed`,
  disabled: sql`f.disabled_until is not null`,
  complimentary: sql`f.complimentary_until is not null`,
  team_seat: sql`f.seat_until is not null`,
  noted: sql`f.noted`,
  plan: sql`f.plan_status is not null`,
}

/** What the index on search texts is asked for; read it before compiling a filter for a list. */
export const readFilterContext = async (
  db: Db,
  { search }: MemberFilter,
): Promise<{ searchParts: readonly string[] }> => ({
  searchParts: search ? await readSearchParts(db, search.toLowerCase()) : [],
})

/** `matchesMemberFilter` as SQL. Without a context, the search of `indexed` is slower. */
export function memberFilterSql(
  config: Pick<Config, 'stripe'>,
  filter: MemberFilter,
  now: Date,
  { searchParts }: { searchParts: readonly string[] } = { searchParts: [] },
): MemberFilterSql {
  const states = statesSql(config, now)
  const where: SQL[] = []
  const indexed: SQL[] = []
  const streams: MemberFilterSql['streams'] = []
  const addTokens = (tokens: readonly string[]) => {
    const condition = sql`f.tokens && ${textArray(tokens)}`
    where.push(condition)
    indexed.push(condition)
  }

  if (filter.search) {
    const search = searchSql(filter.search.toLowerCase(), searchParts)
    where.push(search.where)
    indexed.push(search.indexed)
  }
  if (filter.tags.length > 0) {
    addTokens(filter.tags.map((tag) => `tag:${tag}`))
    const [tag, ...others] = filter.tags
    if (tag && others.length === 0) streams.push({ tag })
  }
  if (filter.noted !== null) {
    where.push(filter.noted ? sql`f.noted` : sql`not f.noted`)
    if (filter.noted) {
      indexed.push(sql`f.tokens && '{noted}'`)
      streams.push(streamOf.noted)
    }
  }
  if (filter.account.length > 0) {
    const instant = sql`${now.toISOString()}::timestamptz`
    const conditions = {
      ...streamOf,
      disabled: sql`coalesce(f.disabled_until > ${instant}, false)`,
      payment_failed: sql`coalesce(f.plan_status = any(${textArray(failedPaymentStatuses)}), false)`,
    }
    where.push(anyOf(filter.account.map((state) => conditions[state])))
    const tokens = filter.account.flatMap((state) => (state === 'payment_failed' ? failedPaymentTokens : [state]))
    indexed.push(sql`f.tokens && ${textArray(tokens)}`)
    const [only, ...others] = filter.account
    if (only && others.length === 0) streams.push(streamOf[only === 'payment_failed' ? 'plan' : only])
  }
  // Whoever has or had a plan has another status.
  const statuses = filter.plans.length > 0 ? filter.statuses.filter((status) => status !== 'free') : filter.statuses
  if (filter.statuses.length > 0 && statuses.length === 0) where.push(sql`false`)
  if (statuses.length > 0) {
    where.push(anyOf(statuses.map((status) => states.is[status])))
    const superset = statusTokens(statuses, now)
    if (superset) indexed.push(superset)
    const [only, ...others] = statuses
    if (others.length === 0 && (only === 'team_seat' || only === 'complimentary')) streams.push(streamOf[only])
    else if (statuses.every((status) => status in planStatuses)) streams.push(streamOf.plan)
  }
  if (filter.plans.length > 0) {
    const ids = filter.plans.map((plan) => config.stripe.ids[plan].productId)
    const seatIds = ids.filter((id) => productsOf(config).team.has(id))
    const own = sql`(f.plan_status is not null and coalesce(f.product_id = any(${textArray(ids)}), false))`
    const seat = sql`(${states.is.team_seat} and f.seat_product_id = any(${textArray(seatIds)}))`
    where.push(seatIds.length > 0 ? sql`(${own} or ${seat})` : own)
    indexed.push(
      sql`f.tokens && ${textArray([...ids.map((id) => `plan:${id}`), ...(seatIds.length > 0 ? ['seat'] : [])])}`,
    )
    if (seatIds.length === 0) streams.push(streamOf.plan)
  }
  if (filter.focusAreas.length > 0) addTokens(filter.focusAreas.map((area) => `area:${area}`))
  if (filter.goals.length > 0) addTokens(filter.goals.map((goal) => `goal:${goal}`))
  if (filter.aiLevels.length > 0) addTokens(filter.aiLevels.map((level) => `level:${level}`))
  if (filter.franchiseTypes.length > 0) addTokens(filter.franchiseTypes.map((type) => `type:${type}`))
  if (filter.locations) {
    const { min, max } = filter.locations
    where.push(sql`f.locations >= ${min}::int`)
    if (max !== null) where.push(sql`f.locations <= ${max}::int`)
    const counts = Array.from({ length: (max ?? maxLocations) - min + 1 }, (_, at) => `locations:${min + at}`)
    indexed.push(sql`f.tokens && ${textArray(counts)}`)
  }
  if (filter.engagement) {
    const { kind, within, days } = filter.engagement
    const since = new Date(now.getTime() - days * dayMs)
    const recent = sql`coalesce(${lastColumns[kind]} >= ${since.toISOString()}::timestamptz, false)`
    where.push(within ? recent : sql`not ${recent}`)
    if (within)
      indexed.push(sql`f.tokens && ${textArray(monthsBetween(since, now).map((month) => `${kind}:${month}`))}`)
  }
  const joined = filter.joined ? periodBounds(filter.joined, now, 'past') : unbounded
  const renews = filter.renews ? periodBounds(filter.renews, now, 'future') : unbounded
  where.push(boundsSql(sql`f.created_at`, joined), boundsSql(sql`f.renews_at`, renews))
  // Without a renewal it is infinite.
  if (filter.renews) where.push(sql`f.renews_at < 'infinity'`)
  indexed.push(boundsSql(sql`f.created_at`, joined), boundsSql(sql`f.renews_at`, renews))
  return { where: allOf(where), indexed: allOf(indexed), joined, renews, streams }
}

export const boundsSql = (column: SQL, { from, to }: Bounds): SQL =>
  allOf([
    ...(from ? [sql`${column} >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`${column} < ${to.toISOString()}::timestamptz`] : []),
  ])

/** Index predicates name the columns of statuses with a plan. */
const planStatuses: Partial<Record<MemberStatus, readonly string[]>> = {
  active: ['status:active'],
  trial: ['status:trialing'],
  past_due: ['status:past_due'],
  ended: ['status:canceled', 'status:unpaid', 'status:paused'],
}

const lastColumns: Record<EngagementKind, SQL> = {
  signed_in: sql`f.last_signed_in_at`,
  opened: sql`f.last_opened_at`,
  clicked: sql`f.last_clicked_at`,
}

/** `memberStatus` as SQL. */
function statesSql(config: Pick<Config, 'stripe'>, now: Date) {
  const instant = sql`${now.toISOString()}::timestamptz`
  const { known, team } = productsOf(config)
  const isKnown = sql`coalesce(f.product_id = any(${textArray([...known])}), false)`
  const own = sql`(${isKnown} and coalesce(f.plan_until > ${instant}, false))`
  const seat = sql`coalesce(f.seat_product_id = any(${textArray([...team])}) and f.seat_until > ${instant}, false)`
  const given = sql`coalesce(f.complimentary_until > ${instant}, false)`
  const noAccess = sql`not ${own} and not ${seat} and not ${given}`
  const hadPlan = sql`(${isKnown} and f.plan_status is not null)`
  const is: Record<MemberStatus, SQL> = {
    active: sql`(${own} and f.plan_status = 'active')`,
    trial: sql`(${own} and f.plan_status = 'trialing')`,
    past_due: sql`(${own} and f.plan_status = 'past_due')`,
    team_seat: sql`(not ${own} and ${seat})`,
    complimentary: sql`(not ${own} and not ${seat} and ${given})`,
    ended: sql`(${noAccess} and ${hadPlan})`,
    free: sql`(${noAccess} and not ${hadPlan})`,
  }
  return { is, own, seat }
}

/** The product that opens the portal, and the status, for a select list. */
export const statusSql = (config: Pick<Config, 'stripe'>, now: Date): { status: SQL; productId: SQL } => {
  const { is, own, seat } = statesSql(config, now)
  const cases = Object.entries(is).map(([status, condition]) => sql`when ${condition} then ${sql.raw(`'${status}'`)}`)
  return {
    status: sql`case ${sql.join(cases, sql` `)} end`,
    productId: sql`case when not ${own} and ${seat} then f.seat_product_id when f.plan_status is not null then f.product_id end`,
  }
}

/**
 * Tokens of all members with one of these statuses, or null if the index doesn't help: most have no plan, and a product
 * that is no longer sold counts as none.
 */
function statusTokens(statuses: readonly MemberStatus[], now: Date): SQL | null {
  if (statuses.includes('free')) return null
  const others = { team_seat: ['seat'], complimentary: ['complimentary'] }
  const tokens = statuses.flatMap((status) => planStatuses[status] ?? others[status as keyof typeof others] ?? [])
  const condition = sql`f.tokens && ${textArray([...new Set(tokens)])}`
  if (!statuses.includes('ended')) return condition
  // Plans that Stripe hasn't ended: unpaid for more than a week, or not synced since.
  return sql`(${condition} or (f.plan_until > '-infinity' and f.plan_until <= ${now.toISOString()}::timestamptz))`
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

/** Members whose payment failed and hasn't been collected, as in the filter. The index on tokens answers it. */
export const hasFailedPayment = sql`f.tokens && ${textArray(failedPaymentTokens)}`

const allOf = (conditions: readonly SQL[]) =>
  conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`
const anyOf = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` or `)})`

function textArray(words: readonly string[]): SQL {
  return sql`${sql.param(`{${words.map((word) => JSON.stringify(word)).join(',')}}`)}::text[]`
}
