import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { priceMove, priceMoveMember, type subscriptionState } from '#server/db/schema/index.ts'
import { findPlan } from '#shared/domain/plans.ts'
import type { SubscriptionPrice } from '#shared/domain/subscription-price.ts'
import { planOfProduct } from './stripe/plan-ids.ts'

/** A price that the owner moves the member to. It can be at Stripe some days before the renewal that charges it. */
export type PriceChange = {
  from: SubscriptionPrice
  to: SubscriptionPrice
  at: Date
  /** The price at Stripe that the renewal is to have. Null if the subscription has it already. */
  pendingPriceId: string | null
}

type SubscriptionRow = typeof subscriptionState.$inferSelect
type Row = Pick<
  SubscriptionRow,
  | 'userId'
  | 'status'
  | 'productId'
  | 'stripeSubscriptionId'
  | 'cancelAt'
  | 'pauseStartsAt'
  | 'testClockTime'
  | 'priceId'
  | 'quantity'
  | 'seatsAfterRenewal'
>

/** The change that the member was told about and that is still ahead. Null for plans that don't renew. */
export async function findPriceChange(
  { config, clock }: { config: Pick<Config, 'stripe' | 'settings'>; clock: () => Date },
  db: Db | Tx,
  row: Row | null,
): Promise<PriceChange | null> {
  if (!row?.stripeSubscriptionId || row.cancelAt || row.pauseStartsAt) return null
  if (row.status !== 'active' && row.status !== 'trialing') return null
  const [found] = await db
    .select({ member: priceMoveMember, move: priceMove })
    .from(priceMoveMember)
    .innerJoin(priceMove, eq(priceMove.id, priceMoveMember.moveId))
    .where(
      and(
        eq(priceMoveMember.userId, row.userId),
        eq(priceMoveMember.subscriptionId, row.stripeSubscriptionId),
        inArray(priceMoveMember.state, ['announced', 'moved']),
      ),
    )
    .orderBy(desc(priceMove.createdAt))
    .limit(1)
  if (!found || found.move.plan !== planOfProduct(config, row.productId)) return null
  const { member, move } = found
  const isAhead = member.effectiveAt > (row.testClockTime ?? clock())
  // Moved and then changed at Stripe.
  const isCurrent = member.state === 'announced' || row.priceId === move.priceId
  if (!isAhead || !isCurrent) return null
  const isPerSeat = findPlan(config.settings.publication, move.plan)?.perSeat
  const price = (amountCents: number, seats: number) => ({
    ...{ amountCents, currency: move.currency, interval: move.interval, intervalCount: move.intervalCount },
    ...(isPerSeat && { seats }),
  })
  // The owner may have added seats since the email about the change.
  const toldSeats = member.newCents / move.priceCents
  const later = row.seatsAfterRenewal ?? row.quantity
  return {
    from: price(Math.round((member.oldCents / toldSeats) * row.quantity), row.quantity),
    to: price(move.priceCents * later, later),
    at: member.effectiveAt,
    pendingPriceId: row.priceId === move.priceId ? null : move.priceId,
  }
}

/** Returns true if the next renewal has the new price. */
export const appliesToNextRenewal = (
  change: PriceChange,
  { currentPeriodEnd }: Pick<SubscriptionRow, 'currentPeriodEnd'>,
) => currentPeriodEnd !== null && change.at <= currentPeriodEnd
