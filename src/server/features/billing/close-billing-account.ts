import { z } from 'zod'
import type { BillingDeps } from './billing-deps.ts'
import { syncBooks } from './revenue/sync-books.ts'
import { isMissing } from './stripe-errors.ts'
import { keepTrialHash } from './trial-had.ts'

/** What an enqueue needs to know of the job; it is asked for in the transaction that deletes the account. */
export const closeBillingAccountJob = {
  name: 'close-billing-account',
  payload: z.object({
    customerId: z.string().min(1).max(255),
    /** What to keep of the address if Stripe knows of a trial. */
    ifTrial: z.string().optional(),
  }),
}

const ended: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])

/**
 * Ends everything that a deleted user could still be charged for, then the customer itself with its address and cards;
 * invoices stay, as bookkeeping asks, there and in our books, which learn of the end here, since it is the last that we
 * are told of this customer. Each step may be repeated, so the job runs until Stripe has taken all of them.
 */
export async function closeBillingAccount(
  deps: BillingDeps,
  { customerId, ifTrial }: z.infer<typeof closeBillingAccountJob.payload>,
): Promise<void> {
  const open = deps.stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
  for (const { id } of await allOf(open)) await unlessMissing(deps.stripe.checkout.sessions.expire(id))
  const subscriptions = await allOf(deps.stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }))
  const hadTrial = subscriptions.some(({ trial_start }) => trial_start !== null)
  if (ifTrial && hadTrial) await keepTrialHash(deps.database.db, ifTrial)
  for (const { id, status } of subscriptions) {
    if (ended.has(status)) continue
    await unlessMissing(deps.stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false }))
  }
  await syncBooks(deps, customerId, { leaving: true })
  await unlessMissing(deps.stripe.customers.del(customerId))
}

/** All pages; nothing for a customer that Stripe no longer has. */
async function allOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  const read = async () => {
    for await (const one of pages) found.push(one)
  }
  await unlessMissing(read())
  return found
}

async function unlessMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
