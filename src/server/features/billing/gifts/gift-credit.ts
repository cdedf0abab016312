import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type Stripe from 'stripe'
import { gift } from '#server/db/schema/index.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import type { GiftDeps, GiftRow } from './gift-links.ts'

/**
 * Credits the customer's future invoices, or takes the credit back, as the gift's state says. A transaction that an
 * interrupted attempt left behind is found by its metadata, also after the day for which Stripe keeps idempotency keys.
 */
async function settleCredit(deps: GiftDeps, { id, creditCustomerId: customer }: GiftRow): Promise<void> {
  if (!customer) return
  const { customers } = deps.stripe
  await withLease(deps, `balance:${customer}`, async () => {
    // Read under the lease: a dispute may have changed the state meanwhile.
    const [row] = await deps.database.db.select().from(gift).where(eq(gift.id, id))
    const kind = row && dueNow(row)
    if (!row || !kind) return
    const own: Stripe.CustomerBalanceTransaction[] = []
    for await (const one of customers.listBalanceTransactions(customer, { limit: 100 })) {
      if (one.metadata?.gift_id === id) own.push(one)
    }
    const isDone = own[0] ? own[0].metadata?.kind === kind : kind === 'reversal'
    const { amountCents, currency } = row
    const transaction = isDone
      ? own[0]
      : await customers.createBalanceTransaction(
          customer,
          {
            amount: kind === 'credit' ? -amountCents : amountCents,
            currency,
            description: kind === 'credit' ? 'Gift' : 'Gift refunded',
            metadata: { gift_id: id, kind },
          },
          { idempotencyKey: `gift-${kind}:${id}:${own.length}` },
        )
    const set = transaction?.id ?? 'none'
    await deps.database.db
      .update(gift)
      .set(kind === 'credit' ? { creditId: set } : { creditReversalId: set })
      .where(and(eq(gift.id, id), eq(gift.state, row.state)))
  })
}

function dueNow({ state, creditId, creditReversalId }: GiftRow): 'credit' | 'reversal' | null {
  if (state === 'claimed') return creditId ? null : 'credit'
  return (state === 'refunded' || state === 'disputed') && !creditReversalId ? 'reversal' : null
}

/** Credits a claimed gift or takes it back now; the job repeats it if Stripe doesn't answer. */
export const trySettleCredit = (deps: GiftDeps, row: GiftRow): Promise<void> =>
  settleCredit(deps, row).catch((error: unknown) =>
    deps.logger.warn({ giftId: row.id, ...describeFailure(error) }, 'credit of a gift failed; it is tried again'),
  )

/** Finishes credits of claimed gifts, and takes back those of refunded and disputed ones. */
export async function finishCredits(deps: GiftDeps): Promise<void> {
  const toGive = and(eq(gift.state, 'claimed'), isNull(gift.creditId))
  const toTake = and(inArray(gift.state, ['refunded', 'disputed']), isNull(gift.creditReversalId))
  const isOpen = and(eq(gift.outcome, 'credit'), or(toGive, toTake))
  const rows = await deps.database.db.select().from(gift).where(isOpen).limit(200)
  for (const row of rows) await trySettleCredit(deps, row)
}
