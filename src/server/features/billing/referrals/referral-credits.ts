import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { referral } from '#server/db/schema/index.ts'
import { describeFailure, isMissing } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import type { ReferralDeps } from './referral-settings.ts'

type Side = 'referrer' | 'referee'
type Row = typeof referral.$inferSelect

/** Writes a referral's credits at Stripe, or takes them back. A failed one is tried again by the next run of the job. */
export async function settleCredits(deps: ReferralDeps, id: string): Promise<void> {
  for (const side of ['referrer', 'referee'] as const) {
    await settle(deps, id, side).catch((error: unknown) =>
      deps.logger.warn({ referralId: id, ...describeFailure(error) }, 'credit of a referral failed; it is tried again'),
    )
  }
}

const readRow = async ({ database }: ReferralDeps, id: string): Promise<Row | undefined> =>
  (await database.db.select().from(referral).where(eq(referral.id, id)))[0]

async function settle(deps: ReferralDeps, id: string, side: Side): Promise<void> {
  const customer = (await readRow(deps, id))?.[`${side}CustomerId`]
  if (!customer) return
  await withLease(deps, `balance:${customer}`, async () => {
    // Read under the lease: the reward may have been withdrawn meanwhile.
    const row = await readRow(deps, id)
    const cents = row?.[`${side}Cents`] ?? null
    const currency = row?.[`${side}Currency`] ?? null
    if (!row || cents === null || currency === null) return
    const facts = { id, customer, cents, currency }
    if (row.state === 'rewarded' && row[`${side}CreditId`] === null) {
      const creditId = await orGone(writeCredit(deps, facts), 'customer deleted')
      await deps.database.db
        .update(referral)
        .set({ [`${side}CreditId`]: creditId })
        .where(and(eq(referral.id, id), eq(referral.state, row.state)))
    }
    if (row.state === 'withdrawn' && row[`${side}TakenCents`] === null) {
      // A deleted customer's credit is gone.
      const taken = await orGone(takeCredit(deps, facts), cents)
      await deps.database.db
        .update(referral)
        .set({ [`${side}TakenCents`]: taken })
        .where(and(eq(referral.id, id), eq(referral.state, row.state)))
    }
  })
}

const orGone = <T>(work: Promise<T>, gone: T): Promise<T> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return gone
    throw error
  })

type Facts = { id: string; customer: string; cents: number; currency: string }
type Kind = 'referral' | 'referral_reversal'

/** The referral's transactions, newest first, also after the day for which Stripe keeps idempotency keys. */
async function listOwn(
  { stripe }: ReferralDeps,
  { id, customer }: Facts,
): Promise<Stripe.CustomerBalanceTransaction[]> {
  const own: Stripe.CustomerBalanceTransaction[] = []
  for await (const one of stripe.customers.listBalanceTransactions(customer, { limit: 100 })) {
    if (one.metadata?.referral_id === id) own.push(one)
  }
  return own
}

const isOfKind = (kind: Kind, transaction: Stripe.CustomerBalanceTransaction | undefined) =>
  transaction?.metadata?.kind === kind

/** What the customer has of the credit: given less taken back. */
const givenCents = (own: readonly Stripe.CustomerBalanceTransaction[]) =>
  own.reduce((sum, { amount }) => sum - amount, 0)

const createTransaction = (
  { stripe }: ReferralDeps,
  { id, customer, currency }: Facts,
  { kind, amount, round }: { kind: Kind; amount: number; round: number },
) =>
  stripe.customers.createBalanceTransaction(
    customer,
    {
      amount,
      currency,
      description: kind === 'referral' ? 'Free month for an invitation' : 'Free month taken back',
      metadata: { referral_id: id, kind },
    },
    { idempotencyKey: `${kind}:${id}:${customer}:${round}` },
  )

/** Gives the credit, or what was taken back of it. */
async function writeCredit(deps: ReferralDeps, facts: Facts): Promise<string> {
  const own = await listOwn(deps, facts)
  const [last] = own
  if (last && isOfKind('referral', last)) return last.id
  const amount = givenCents(own) - facts.cents
  if (last && amount === 0) return last.id
  return (await createTransaction(deps, facts, { kind: 'referral', amount, round: own.length })).id
}

/** Takes back what is left of the credit, so that no one is charged for a month that was used. Returns the cents. */
async function takeCredit(deps: ReferralDeps, facts: Facts): Promise<number> {
  const own = await listOwn(deps, facts)
  if (own.length === 0) return facts.cents
  const taken = facts.cents - givenCents(own)
  if (isOfKind('referral_reversal', own[0])) return taken
  const customer = await deps.stripe.customers.retrieve(facts.customer)
  if (customer.deleted) return facts.cents
  const amount = Math.min(givenCents(own), Math.max(0, -customer.balance))
  if (amount > 0) await createTransaction(deps, facts, { kind: 'referral_reversal', amount, round: own.length })
  return taken + amount
}
