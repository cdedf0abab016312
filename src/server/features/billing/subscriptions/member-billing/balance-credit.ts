import type Stripe from 'stripe'
import { isMissing } from '../stripe/stripe-errors.ts'

/** A credit on a customer's balance, which pays for their next invoices. Call these functions under a lease of the balance. */
export type BalanceCredit = {
  customer: string
  cents: number
  currency: string
  /** Metadata that marks its transactions, also after the day for which Stripe keeps idempotency keys. */
  owner: { gift_id: string } | { referral_id: string } | { renewal_offer_id: string }
  give: Texts
  take: Texts
}
type Texts = { kind: string; description: string }
type Transaction = Pick<Stripe.CustomerBalanceTransaction, 'id' | 'amount' | 'metadata'>

/** Gives the credit, or what was taken back of it. `amount` is what this call gave. Null if the customer was deleted. */
export const giveCredit = (stripe: Stripe, credit: BalanceCredit): Promise<{ id: string; amount: number } | null> =>
  nullIfMissing(async () => {
    const { own } = await listTransactions(stripe, credit)
    const amount = credit.cents - sumOf(own)
    const [last] = own
    if (last && (last.metadata?.kind === credit.give.kind || amount === 0)) return { id: last.id, amount: 0 }
    return { id: await create(stripe, credit, credit.give, -amount, own.length), amount }
  })

type Taken = { id: string; amount: number; kept: number }

/**
 * Takes back what is left of the credit, so that no one is charged for what was used. `kept` is what the customer used.
 * Null if it was never given, or the customer was deleted.
 */
export const takeCreditBack = (stripe: Stripe, credit: BalanceCredit): Promise<Taken | null> =>
  nullIfMissing(async () => {
    const { all, own } = await listTransactions(stripe, credit)
    const [last] = own
    if (!last) return null
    const given = sumOf(own)
    if (last.metadata?.kind === credit.take.kind) return { id: last.id, amount: last.amount, kept: given }
    const customer = await stripe.customers.retrieve(credit.customer)
    if (customer.deleted) return null
    const amount = Math.min(leftOf(all.toReversed(), new Set(own)), Math.max(0, -customer.balance))
    const id = amount > 0 ? await create(stripe, credit, credit.take, amount, own.length) : 'none'
    return { id, amount, kept: given - amount }
  })

async function nullIfMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Newest first. */
async function listTransactions(stripe: Stripe, { customer, owner }: BalanceCredit) {
  const [key = '', id] = Object.entries(owner)[0] ?? []
  const all: Transaction[] = []
  for await (const one of stripe.customers.listBalanceTransactions(customer, { limit: 100 })) all.push(one)
  return { all, own: all.filter(({ metadata }) => metadata?.[key] === id) }
}

const sumOf = (own: readonly Transaction[]) => own.reduce((sum, { amount }) => sum - amount, 0)

async function create(
  stripe: Stripe,
  credit: BalanceCredit,
  { kind, description }: Texts,
  amount: number,
  round: number,
) {
  const { customer, currency, owner } = credit
  const { id } = await stripe.customers.createBalanceTransaction(
    customer,
    { amount, currency, description, metadata: { ...owner, kind } },
    { idempotencyKey: `${kind}:${Object.values(owner)[0]}:${customer}:${round}` },
  )
  return id
}

/** What is left of the own credits if the customer uses the oldest credit first. Transactions are oldest first. */
export function leftOf<T extends { amount: number }>(transactions: readonly T[], own: ReadonlySet<T>): number {
  const credits: { left: number; isOwn: boolean }[] = []
  let debt = 0
  const use = (cents: number, from: typeof credits) =>
    from.reduce((rest, credit) => {
      const used = Math.min(rest, credit.left)
      credit.left -= used
      return rest - used
    }, cents)
  for (const one of transactions) {
    const isOwn = own.has(one)
    if (one.amount < 0) {
      const paid = Math.min(debt, -one.amount)
      debt -= paid
      credits.push({ left: -one.amount - paid, isOwn })
    } else debt += use(one.amount, isOwn ? credits.filter((credit) => credit.isOwn) : credits)
  }
  return credits.reduce((sum, { left, isOwn }) => sum + (isOwn ? left : 0), 0)
}
