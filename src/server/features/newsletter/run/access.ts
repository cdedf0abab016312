import { type SQL, sql } from 'drizzle-orm'
import { graceMs, type Products, renewalSlackMs } from '#shared/domain/entitlement.ts'

/**
 * `accessOf` of src/shared/domain/entitlement.ts in the database's words, for half a million members at once. A test
 * holds the two against each other.
 */
export type AccessSql = {
  /** Left joins, at most one row of each for a reader. */
  joins: SQL
  /** Whether this reader's access runs at the moment. */
  entitled: SQL
  /** Product that opens it; null for complimentary access, and for nobody's. */
  productId: SQL
}

/** `user` is the statement's alias of `auth.users`. The statement must not use the names `own`, `seat`, `owned` and `gift`. */
export function accessSql(user: SQL, now: Date, products: Products): AccessSql {
  const instant = sql`${now.toISOString()}::timestamptz`
  const own = runs(sql`own`, instant, products.known)
  const shared = runs(sql`owned`, instant, products.team)
  return {
    joins: sql`
      left join subscription_state own on own.user_id = ${user}.id
      left join team_seat seat on seat.user_id = ${user}.id
      left join subscription_state owned on owned.user_id = seat.owner_id
      left join complimentary_access gift on gift.user_id = ${user}.id`,
    entitled: sql`(${own} or ${shared} or coalesce(gift.until > ${instant}, false))`,
    productId: sql`case when ${own} then own.product_id when ${shared} then owned.product_id end`,
  }
}

/** A test clock's customer lives in simulated time. Hours, not days: a day of a time zone may have 23 of them. */
function runs(row: SQL, now: SQL, productIds: ReadonlySet<string>): SQL {
  const sold = sql`${sql.param(`{${[...productIds].map((id) => JSON.stringify(id)).join(',')}}`)}::text[]`
  return sql`coalesce(${row}.product_id = any(${sold}) and coalesce(${row}.test_clock_time, ${now}) < case
    when ${row}.status in ('active', 'trialing')
      then coalesce(${row}.cancel_at, ${row}.current_period_end + ${hours(renewalSlackMs)})
    when ${row}.status = 'past_due'
      then coalesce(${row}.unpaid_since, ${row}.current_period_start) + ${hours(graceMs)}
  end, false)`
}

const hours = (ms: number) => sql.raw(`interval '${ms / 3_600_000} hours'`)
