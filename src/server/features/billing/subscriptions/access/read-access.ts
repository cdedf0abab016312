import { type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import {
  type AccessFactsRow,
  accessFactsColumns,
  accessFactsJoins,
  parseAccessFacts,
  type StoredAccessFacts,
} from '#server/db/access-facts.ts'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { type Access, type AccessFacts, graceMs, renewalSlackMs, resolveAccess } from '#shared/domain/entitlement.ts'
import { productIdOf, productsOf } from '../stripe/plan-ids.ts'

type PlanConfig = Pick<Config, 'settings' | 'stripe'>

/*
 * Decides who may open the portal. One rule (`resolveAccess`) in three forms: for facts that are already loaded (such as
 * the principal's), for one user by id, and as SQL for any number of users.
 */

export const accessOf = (config: PlanConfig, facts: AccessFacts, now: Date): Access =>
  resolveAccess(facts, now, productsOf(config))

export const hasAccess = (config: PlanConfig, facts: AccessFacts, now: Date): boolean =>
  accessOf(config, facts, now).entitled

const noFacts: StoredAccessFacts = { subscription: null, team: null, complimentaryUntil: null }

/** Reads everything that can open the portal for a user. */
export async function readAccessFacts(db: Db | Tx, userId: string): Promise<StoredAccessFacts> {
  const [found] = await queryRows<{ row: string }>(
    db,
    sql`select json_build_object(${sql.raw(accessFactsColumns)})::text as row
      from auth.users u ${sql.raw(accessFactsJoins)} where u.id = ${userId}::uuid`,
  )
  return found ? parseAccessFacts(JSON.parse(found.row) as AccessFactsRow) : noFacts
}

export type AccessSql = {
  /** Left joins that add at most one row per user. */
  joins: SQL
  /** True if the user has access now. */
  entitled: SQL
  /** The product that opens the portal; null for complimentary access and for users without access. */
  productId: SQL
}

/**
 * `resolveAccess` as SQL, for audiences of half a million members. A test compares the two.
 * `user` is the statement's alias of `auth.users`; `own`, `seat`, `owned` and `complimentary` are taken.
 */
export function accessSql(config: PlanConfig, user: SQL, now: Date): AccessSql {
  const instant = sql`${now.toISOString()}::timestamptz`
  const products = productsOf(config)
  const own = isEntitled(sql`own`, instant, products.known)
  const shared = isEntitled(sql`owned`, instant, products.team)
  return {
    joins: sql`
      left join subscription_state own on own.user_id = ${user}.id
      left join team_seat seat on seat.user_id = ${user}.id
      left join subscription_state owned on owned.user_id = seat.owner_id
      left join complimentary_access complimentary on complimentary.user_id = ${user}.id`,
    entitled: sql`(${own} or ${shared} or coalesce(complimentary.until > ${instant}, false))`,
    productId: sql`case when ${own} then own.product_id when ${shared} then owned.product_id end`,
  }
}

/** True if the user pays for a plan for supporters now, themselves. `own` and `paid` are taken. */
export function isSupporter(config: PlanConfig, userId: SQL, now: Date): SQL {
  const keys = config.settings.publication.plans.flatMap((plan) => (plan.forSupporters ? plan.key : []))
  const products = new Set(keys.map((key) => productIdOf(config, key)).filter(Boolean))
  const instant = sql`${now.toISOString()}::timestamptz`
  return sql`(exists (select 1 from subscription_state own where own.user_id = ${userId} and ${isEntitled(sql`own`, instant, products)})
    or exists (select 1 from purchase paid where paid.user_id = ${userId} and paid.state = 'paid'
      and paid.access_until > ${instant} and paid.plan = any(${textArray(keys)})))`
}

/** Customers on a test clock live in simulated time. Hours, not days: a calendar day can have 23 hours. */
function isEntitled(row: SQL, now: SQL, productIds: ReadonlySet<string>): SQL {
  const sold = textArray([...productIds])
  const time = sql`coalesce(${row}.test_clock_time, ${now})`
  return sql`coalesce(${row}.product_id = any(${sold}) and coalesce(${time} < ${row}.pause_starts_at, true) and ${time} < case
    when ${row}.status in ('active', 'trialing')
      then coalesce(${row}.cancel_at, ${row}.current_period_end + ${hours(renewalSlackMs)})
    when ${row}.status = 'past_due'
      then coalesce(${row}.unpaid_since, ${row}.current_period_start) + ${hours(graceMs)}
  end, false)`
}

const textArray = (all: readonly string[]) =>
  sql`${sql.param(`{${all.map((one) => JSON.stringify(one)).join(',')}}`)}::text[]`

const hours = (ms: number) => sql.raw(`interval '${ms / 3_600_000} hours'`)
