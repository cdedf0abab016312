import { aliasedTable, and, asc, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import { subscriptionState, users } from '#server/db/schema/index.ts'
import type { ReasonToStay } from '#shared/contracts/billing/price-moves.ts'
import type { IntervalUnit } from '#shared/domain/billing-interval.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { isPaused } from '#shared/domain/entitlement.ts'
import { firstRenewal } from './first-renewal.ts'

/** The price that members are moved to. */
export type Target = {
  priceId: string
  priceCents: number
  currency: string
  interval: IntervalUnit
  intervalCount: number
  productId: string
}

type Row = typeof subscriptionState.$inferSelect
export type Concerned = { userId: string; email: string; name: string | null; row: Row }

const runningStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

/** The alias that `memberNameSql` expects. */
const u = aliasedTable(users, 'u')

/** Members whose plan has the product and who pay something else than the target, by address. */
export async function listConcerned(
  db: Db | Tx,
  target: Target,
  { userIds }: { userIds?: readonly string[] } = {},
): Promise<Concerned[]> {
  const { priceCents, quantity, priceCurrency, priceInterval, priceIntervalCount, priceId } = subscriptionState
  const rows = await db
    .select({ email: u.email, name: memberNameSql as SQL<string | null>, row: subscriptionState })
    .from(subscriptionState)
    .innerJoin(u, eq(u.id, subscriptionState.userId))
    .where(
      and(
        eq(subscriptionState.productId, target.productId),
        inArray(subscriptionState.status, runningStatuses),
        isNotNull(subscriptionState.stripeSubscriptionId),
        ne(priceId, target.priceId),
        or(
          sql`${priceCents} is distinct from ${target.priceCents}::bigint * ${quantity}`,
          ne(priceCurrency, target.currency),
          ne(priceInterval, target.interval),
          ne(priceIntervalCount, target.intervalCount),
        ),
        userIds && inArray(subscriptionState.userId, [...userIds]),
      ),
    )
    .orderBy(asc(u.email), asc(u.id))
  return rows.map(({ email, name, row }) => ({ userId: row.userId, email: email ?? '', name, row }))
}

export type Planned = { oldCents: number; newCents: number; effectiveAt: Date }

/** When and to what a member is moved, or why not. */
export function planMove(row: Row, target: Target, noticeDays: number, realNow: Date): Planned | ReasonToStay {
  const reason = reasonToStay(row, target, realNow)
  if (reason) return reason
  const { priceCents, quantity, currentPeriodStart, currentPeriodEnd, status } = row
  if (priceCents === null || !currentPeriodEnd) return 'unknown_price'
  const now = row.testClockTime ?? realNow
  const period = {
    currentPeriodStart,
    currentPeriodEnd,
    interval: target.interval,
    intervalCount: target.intervalCount,
    isTrial: status === 'trialing',
  }
  return {
    oldCents: priceCents,
    newCents: target.priceCents * quantity,
    effectiveAt: firstRenewal(period, new Date(now.getTime() + noticeDays * dayMs)),
  }
}

function reasonToStay(row: Row, target: Target, now: Date): ReasonToStay | null {
  if (row.cancelAt) return 'canceled'
  if (row.pauseStartsAt || row.status === 'paused' || isPaused(row, now)) return 'paused'
  if (row.status !== 'active' && row.status !== 'trialing') return 'payment_failed'
  if (row.priceCents === null) return 'unknown_price'
  if (row.priceCurrency !== target.currency) return 'other_currency'
  return row.priceInterval !== target.interval || row.priceIntervalCount !== target.intervalCount
    ? 'other_interval'
    : null
}
