import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { withStripeErrors } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { entryIdFor, requireMemberCustomer } from './change-member-plan.ts'

export type Credit = {
  userId: string
  requestId: string
  amountCents: number
  lastTransactionId: string | null
  reason: string
}

/**
 * Credits the customer's future invoices, one credit at a time on all nodes. Repeated requests and second tabs are treated as
 * for refunds.
 * @throws AppError not_found, no_billing_account, balance_changed, stripe_unavailable
 */
export async function creditMember(deps: BillingDeps, who: Actor, credit: Credit) {
  const { userId, requestId, amountCents, reason } = credit
  const { customerId, email } = await requireMemberCustomer(deps, userId)
  const { customers } = deps.stripe
  return withLease(deps, `balance:${customerId}`, async () => {
    const { balance, currency } = await withStripeErrors(deps, 'credit-member', async () => {
      const customer = await customers.retrieve(customerId)
      if (customer.deleted) throw new AppError('no_billing_account')
      const { data } = await customers.listBalanceTransactions(customerId, { limit: 100 })
      const currency = customer.currency ?? mainCurrency(deps.config.settings.publication)
      const repeated = data.find(({ metadata }) => metadata?.request_id === requestId)
      if (repeated) return { balance: repeated.ending_balance, currency }
      if ((data[0]?.id ?? null) !== credit.lastTransactionId) throw new AppError('balance_changed')
      const metadata = { request_id: requestId, staff_id: who.userId }
      const { ending_balance: balance } = await customers.createBalanceTransaction(
        customerId,
        { amount: -amountCents, currency, description: reason, metadata },
        { idempotencyKey: `credit:${requestId}` },
      )
      return { balance, currency }
    })
    const creditText = (cents: number) => formatMoney(cents === 0 ? 0 : -cents, currency)
    await deps.database.db.transaction((tx) =>
      recordAdminEvent(tx, who, {
        id: entryIdFor('credit', userId, requestId),
        event: 'balance_credited',
        about: { userId, email },
        changes: [{ field: 'credit', before: creditText(balance + amountCents), after: creditText(balance) }],
        note: reason,
        now: deps.clock(),
      }),
    )
    return { creditCents: balance === 0 ? 0 : -balance, currency }
  })
}
