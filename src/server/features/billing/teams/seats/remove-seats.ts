import { and, asc, eq, gt } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { subscriptionState, teamSeat } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import {
  type Actor,
  changeSubscription,
} from '#server/features/billing/subscriptions/plan-changes/change-subscription.ts'
import { requireChangeable } from '#server/features/billing/subscriptions/plan-changes/switch-plan.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import type { SubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import type { Caller } from '#server/http/principal.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { findPlan } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { listMembers, lockUsers, usableSeats } from '../team-queries.ts'

/**
 * Lowers the seats at the next renewal. They are empty, and can't be filled from now on. Stripe is told shortly before the
 * renewal (`lowerDueSeats`), so that revenue and switches count what is paid.
 * @returns the renewal
 * @throws AppError subscription_not_changeable, validation_failed below the plan's minimum or the
 * seats in use
 */
export async function removeSeats(deps: BillingDeps, who: Caller, seats: number): Promise<{ at: string }> {
  const { userId } = who
  return withLease(deps, `billing:${userId}`, () =>
    deps.database.db.transaction(async (tx) => {
      await lockUsers(tx, [userId])
      const [row] = await tx.select().from(subscriptionState).where(eq(subscriptionState.userId, userId)).for('update')
      const at = requireRenewing(row)
      requireFewer(deps, row as SubscriptionRow, seats)
      // A second click.
      if (row?.seatsAfterRenewal === seats) return { at: at.toISOString() }
      await requireUnused(tx, userId, seats)
      await tx
        .update(subscriptionState)
        .set({ seatsAfterRenewal: seats, seatsPaid: row?.seatsPaid ?? row?.quantity, seatsChangeAt: at })
        .where(eq(subscriptionState.userId, userId))
      return { at: at.toISOString() }
    }),
  )
}

function requireRenewing(row: SubscriptionRow | undefined): Date {
  const isActive = row?.status === 'active' || row?.status === 'trialing'
  if (!isActive || row.cancelAt || row.pauseStartsAt || !row.currentPeriodEnd) {
    throw new AppError('subscription_not_changeable')
  }
  return row.seatsChangeAt ?? row.currentPeriodEnd
}

function requireFewer({ config }: BillingDeps, row: SubscriptionRow, seats: number): void {
  const plan = findPlan(config.settings.publication, planOfProduct(config, row.productId))
  if (!plan?.perSeat) throw new AppError('subscription_not_changeable')
  if (seats < plan.seats) {
    throw new AppError('validation_failed', {
      message: `${plan.name} has at least ${formatCount(plan.seats, 'seat')}, so you can’t keep fewer.`,
    })
  }
  if (seats >= usableSeats(row) && seats !== row.seatsAfterRenewal) {
    throw new AppError('validation_failed', {
      message: `Your team keeps ${formatCount(usableSeats(row), 'seat')} at the renewal. Reload the page to see them.`,
    })
  }
}

/** Moves members to lower seat numbers, so that the numbers above `seats` are free. */
async function requireUnused(tx: Tx, ownerId: string, seats: number): Promise<void> {
  const used = (await listMembers(tx, ownerId)).length + 1
  if (used > seats) {
    throw new AppError('validation_failed', {
      message: `${used} seats are in use. Remove ${formatCount(used - seats, 'member')} first, or keep ${used} seats.`,
    })
  }
  const taken = await tx
    .select({ seat: teamSeat.seat })
    .from(teamSeat)
    .where(eq(teamSeat.ownerId, ownerId))
    .orderBy(asc(teamSeat.seat))
  const numbers = new Set(taken.map(({ seat }) => seat))
  const free = Array.from({ length: seats - 1 }, (_, index) => index + 2).filter((number) => !numbers.has(number))
  const above = await tx
    .select({ userId: teamSeat.userId })
    .from(teamSeat)
    .where(and(eq(teamSeat.ownerId, ownerId), gt(teamSeat.seat, seats)))
  for (const [index, { userId }] of above.entries()) {
    await tx.update(teamSeat).set({ seat: free[index] }).where(eq(teamSeat.userId, userId))
  }
}

/**
 * Keeps the seats that were to end. They are paid until the renewal, so nothing is charged now.
 * @throws AppError errors of `changeSubscription`
 */
export async function keepSeats(deps: BillingDeps, who: Actor): Promise<Subscription> {
  const { db } = deps.database
  return changeSubscription(deps, who, 'keep-seats', async (current) => {
    const [row] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, who.userId))
    // A second click, or the renewal has passed.
    if (!row?.seatsPaid || !row.seatsChangeAt || row.seatsChangeAt <= current.now) return
    const item = requireChangeable(deps, current)
    if ((item.quantity ?? 1) < row.seatsPaid) {
      await deps.stripe.subscriptions.update(current.subscription.id, {
        items: [{ id: item.id, quantity: row.seatsPaid }],
        proration_behavior: 'none',
      })
    }
    await db
      .update(subscriptionState)
      .set({
        ...{ seatsAfterRenewal: null, seatsPaid: null, seatsChangeAt: null },
        // The number is Stripe's, so that the sync doesn't take them for added ones.
        quantity: row.seatsPaid,
        priceCents: row.priceCents && (row.priceCents / row.quantity) * row.seatsPaid,
      })
      .where(eq(subscriptionState.userId, who.userId))
  })
}
