import { and, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { gift } from '#server/db/schema/index.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import type { GiftDeps, GiftRow } from './gift-links.ts'

/**
 * Credits the customer's future invoices, or takes the credit back. A transaction that an interrupted attempt left behind is
 * found by its metadata, also after the day for which Stripe keeps idempotency keys.
 */
async function writeCredit(deps: GiftDeps, row: GiftRow, kind: 'credit' | 'reversal'): Promise<void> {
  const { creditCustomerId: customer, amountCents, currency, id } = row
  if (!customer) return
  const { customers } = deps.stripe
  await withLease(deps, `balance:${customer}`, async () => {
    const { data } = await customers.listBalanceTransactions(customer, { limit: 100 })
    const done = data.find(({ metadata }) => metadata?.gift_id === id && metadata.kind === kind)
    const transaction =
      done ??
      (await customers.createBalanceTransaction(
        customer,
        {
          amount: kind === 'credit' ? -amountCents : amountCents,
          currency,
          description: kind === 'credit' ? 'Gift' : 'Gift refunded',
          metadata: { gift_id: id, kind },
        },
        { idempotencyKey: `gift-${kind}:${id}` },
      ))
    const set = kind === 'credit' ? { creditId: transaction.id } : { creditReversalId: transaction.id }
    await deps.database.db.update(gift).set(set).where(eq(gift.id, id))
  })
}

/** Credits a claimed gift now; the job repeats it if Stripe doesn't answer. */
export const tryCredit = (deps: GiftDeps, row: GiftRow, kind: 'credit' | 'reversal' = 'credit'): Promise<void> =>
  writeCredit(deps, row, kind).catch((error: unknown) =>
    deps.logger.warn({ giftId: row.id, ...describeFailure(error) }, 'credit of a gift failed; it is tried again'),
  )

/** Finishes credits of claimed gifts, and takes back those of refunded and disputed ones. */
export async function finishCredits(deps: GiftDeps): Promise<void> {
  const withCredit = async (states: string[], open: SQL | undefined, kind: 'credit' | 'reversal') => {
    const isOpen = and(inArray(gift.state, states), eq(gift.outcome, 'credit'), open)
    const rows = await deps.database.db.select().from(gift).where(isOpen).limit(100)
    for (const row of rows) await tryCredit(deps, row, kind)
  }
  await withCredit(['claimed'], isNull(gift.creditId), 'credit')
  await withCredit(['refunded', 'disputed'], and(isNotNull(gift.creditId), isNull(gift.creditReversalId)), 'reversal')
}
