import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { gift } from '#server/db/schema/index.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { AppError } from '#shared/errors.ts'
import { type GiftDeps, type GiftRow, lockGift } from './gift-links.ts'
import { syncGift } from './sync-gift.ts'

type Reason = 'unclaimed' | 'already_paying' | 'staff' | 'withdrawn'

/** Decides on a refund; `finishRefund` makes it. From here on, the gift can't be claimed. */
export async function startRefund(tx: Tx, id: string, refundReason: Reason): Promise<void> {
  await tx.update(gift).set({ state: 'refunding', refundReason }).where(eq(gift.id, id))
}

/**
 * Refunds what is left and records it. After a crash the job repeats it: Stripe refuses to refund a payment twice, and the
 * sync then finds the refund.
 */
export async function finishRefund(deps: GiftDeps, row: GiftRow): Promise<void> {
  const { stripePaymentIntentId: intent } = row
  if (!intent) return
  try {
    await deps.stripe.refunds.create(
      { payment_intent: intent, reason: 'requested_by_customer', metadata: { gift_id: row.id } },
      { idempotencyKey: `gift-refund:${row.id}` },
    )
  } catch (error) {
    const code = error instanceof Stripe.errors.StripeError ? error.code : null
    // The sync finds the refund, or the dispute.
    if (code !== 'charge_already_refunded' && code !== 'charge_disputed') throw error
  }
  await syncGift(deps, row)
}

/** Makes refunds that were decided on. A failed one is tried again by the next run. */
export async function finishRefunds(deps: GiftDeps): Promise<void> {
  const rows = await deps.database.db.select().from(gift).where(eq(gift.state, 'refunding')).limit(100)
  for (const row of rows) await tryRefund(deps, row)
}

export const tryRefund = (deps: GiftDeps, row: GiftRow): Promise<void> =>
  finishRefund(deps, row).catch((error: unknown) =>
    deps.logger.warn({ giftId: row.id, ...describeFailure(error) }, 'refund of a gift failed; it is tried again'),
  )

/** An owner refunds a gift, also a claimed one. @throws AppError not_found, gift_not_changeable */
export async function refundGift(deps: GiftDeps, who: Actor, id: string): Promise<void> {
  const row = await deps.database.db.transaction(async (tx) => {
    const found = await lockGift(tx, id)
    if (!found?.paidAt) throw new AppError('not_found')
    if (found.state === 'refunding' || found.state === 'refunded') return found
    if (found.state === 'disputed') {
      throw new AppError('gift_not_changeable', {
        message: 'The payment for this gift is disputed. Answer the dispute in Stripe’s dashboard.',
      })
    }
    await startRefund(tx, id, 'staff')
    await recordAdminEvent(tx, who, {
      event: 'gift_refunded',
      object: { kind: 'gift', id, name: `Gift of ${found.deliverOn}` },
      changes: [
        {
          field: 'refunded',
          before: formatMoney(found.refundedCents, found.currency),
          after: formatMoney(found.amountCents, found.currency),
        },
      ],
      now: deps.clock(),
    })
    return found
  })
  if (row.state !== 'refunded') await tryRefund(deps, row)
}

export const openStates = ['scheduled', 'sent'] as const
