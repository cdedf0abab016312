import { and, eq, lt } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { purchase } from '#server/db/schema/index.ts'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { PurchaseRow } from './buy-access.ts'
import { syncPurchase } from './sync-purchase.ts'

/**
 * Decides on a refund, which also ends the access, and makes it: of a disputed payment once the dispute is won. The job
 * repeats what fails. `record`: runs in the transaction of the decision.
 */
export async function startRefund(
  deps: GiftDeps,
  id: string,
  refundCents: number,
  record: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const row = await deps.database.db.transaction(async (tx) => {
    const [found] = await tx.select().from(purchase).where(eq(purchase.id, id)).for('update')
    if (found?.state !== 'paid') return found
    await record(tx)
    const [decided] = await tx
      .update(purchase)
      .set({ refundCents, state: 'refunding' })
      .where(eq(purchase.id, id))
      .returning()
    return decided
  })
  if (row?.state === 'disputed') {
    await deps.database.db.update(purchase).set({ refundCents }).where(eq(purchase.id, id))
  }
  if (row?.state === 'refunding') await tryRefund(deps, row)
}

/** Stripe refuses to refund a payment twice, and the sync then finds the refund. */
async function finishRefund(deps: GiftDeps, row: PurchaseRow): Promise<void> {
  const { id, stripePaymentIntentId: intent, refundCents } = row
  const { refundedCents } = await syncPurchase(deps, row)
  const amount = Math.max(0, (refundCents ?? row.amountCents) - refundedCents)
  if (intent && amount > 0) {
    await deps.stripe.refunds
      .create(
        { payment_intent: intent, amount, reason: 'requested_by_customer', metadata: { purchase_id: id } },
        { idempotencyKey: `purchase-refund:${id}` },
      )
      .catch((error: unknown) => {
        const code = error instanceof Stripe.errors.StripeError ? error.code : null
        if (code !== 'charge_already_refunded' && code !== 'charge_disputed') throw error
      })
  }
  await syncPurchase(deps, row)
}

const tryRefund = (deps: GiftDeps, row: PurchaseRow): Promise<void> =>
  finishRefund(deps, row).catch((error: unknown) =>
    deps.logger.warn(
      { purchaseId: row.id, ...describeFailure(error) },
      'refund of a purchase failed; it is tried again',
    ),
  )

/** An owner refunds what a member paid once, and ends its access. @throws AppError not_found, refund_not_possible */
export async function refundPurchase(deps: GiftDeps, who: Actor, id: string): Promise<void> {
  const { db } = deps.database
  const [row] = await db.select().from(purchase).where(eq(purchase.id, id))
  if (!row?.paidAt) throw new AppError('not_found')
  if (row.state === 'disputed') {
    throw new AppError('validation_failed', {
      message: 'The payment is disputed. Answer the dispute in Stripe’s dashboard.',
    })
  }
  if (row.state !== 'paid') return
  await startRefund(deps, id, row.amountCents, (tx) =>
    recordAdminEvent(tx, who, {
      event: 'purchase_refunded',
      object: {
        kind: 'plan',
        id: row.plan,
        name: row.itemTitle ?? planOf(deps.config.settings.publication, row.plan).name,
      },
      changes: [
        {
          field: 'refunded',
          before: formatMoney(row.refundedCents, row.currency),
          after: formatMoney(row.amountCents, row.currency),
        },
      ],
      now: deps.clock(),
    }),
  )
}

const settleMs = 10 * minuteMs
const lifeMs = 48 * 60 * minuteMs

/** Finds payments whose webhook was lost, makes refunds that were decided, and forgets checkouts that weren't paid. */
export async function workOnPurchases(deps: GiftDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  const now = deps.clock().getTime()
  const rows = await db
    .select()
    .from(purchase)
    .where(and(eq(purchase.state, 'unpaid'), lt(purchase.createdAt, new Date(now - settleMs))))
    .limit(100)
  for (const row of rows) {
    const { state } = await syncPurchase(deps, row)
    if (state !== 'unpaid' || row.createdAt.getTime() > now - lifeMs) continue
    await db.delete(purchase).where(and(eq(purchase.id, row.id), eq(purchase.state, 'unpaid')))
  }
  for (const row of await db.select().from(purchase).where(eq(purchase.state, 'refunding')).limit(100)) {
    await tryRefund(deps, row)
  }
}
