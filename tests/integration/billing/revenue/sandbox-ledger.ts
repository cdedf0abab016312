import type Stripe from 'stripe'
import type { Revenue } from '#shared/contracts/billing/admin-billing.ts'
import type { Cohort } from '#shared/contracts/billing/admin-money.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'

/**
 * Expected revenue, computed by replaying the sandbox's events. The app computes it from Stripe's current objects without
 * events, so the two agree only if both are right.
 */
export type SandboxLedger = { moves: Move[]; invoices: Bill[] }

type Move = { customer: string; at: number; kind: string; plan: PlanKey; yearly: number; customers: number }
type Bill = {
  customer: string
  plan: PlanKey
  due: number
  paid: number
  paidAt: number | null
  refunded: number
  failedAt: number | null
  outcome: 'failed_open' | 'failed_recovered' | 'failed_lost'
}

type Watched = { plan: PlanKey; yearly: number; trialEnd: number; hasPaid: boolean; snapshot: Stripe.Subscription }

export async function ledgerOf(
  api: Stripe,
  customers: readonly string[],
  planOf: (product: string) => PlanKey,
): Promise<SandboxLedger> {
  const events: Stripe.Event[] = []
  for await (const event of api.events.list({ limit: 100 })) events.push(event)
  events.reverse()
  const ledger: SandboxLedger = { moves: [], invoices: [] }
  for (const customer of customers) {
    const own = events.filter(({ data }) => (data.object as { customer?: unknown }).customer === customer)
    ledger.moves.push(...(await movesOf(api, customer, own, planOf)))
    ledger.invoices.push(...(await billsOf(api, customer, own, planOf)))
  }
  return ledger
}

async function couponsOf(api: Stripe, customer: string): Promise<Map<string, Stripe.Coupon>> {
  const found = new Map<string, Stripe.Coupon>()
  const note = (discounts: (string | Stripe.Discount | Stripe.DeletedDiscount)[]) => {
    for (const one of discounts) {
      if (typeof one !== 'string' && !one.deleted) found.set(one.id, one.source.coupon as Stripe.Coupon)
    }
  }
  const expand = ['data.discounts.source.coupon']
  for await (const { discounts } of api.invoices.list({ customer, expand })) note(discounts)
  for await (const { discounts } of api.subscriptions.list({ customer, status: 'all', expand })) note(discounts)
  return found
}

async function movesOf(
  api: Stripe,
  customer: string,
  events: readonly Stripe.Event[],
  planOf: (product: string) => PlanKey,
): Promise<Move[]> {
  const coupons = await couponsOf(api, customer)
  const watched = new Map<string, Watched>()
  const moves: Move[] = []
  const sums = () => {
    const plans = new Map<PlanKey, number>()
    for (const { plan, yearly } of watched.values()) plans.set(plan, (plans.get(plan) ?? 0) + yearly)
    return plans
  }
  let before = sums()
  let hadAny = false
  for (const at of [...new Set(events.map(({ created }) => created))]) {
    for (const event of events.filter(({ created }) => created === at)) follow(watched, event)
    for (const one of watched.values()) Object.assign(one, worth(one.snapshot, one.hasPaid, coupons, planOf))
    const after = sums()
    const [was, is] = [before, after].map((plans) => [...plans.values()].reduce((all, one) => all + one, 0))
    const kind =
      was === 0
        ? hadAny
          ? 'returned'
          : 'new'
        : is === 0
          ? 'lost'
          : Number(is) > Number(was)
            ? 'expansion'
            : 'contraction'
    for (const plan of new Set([...before.keys(), ...after.keys()])) {
      const [old = 0, now = 0] = [before.get(plan), after.get(plan)]
      if (old === now) continue
      moves.push({ customer, at, kind, plan, yearly: now - old, customers: Number(now > 0) - Number(old > 0) })
    }
    hadAny ||= Number(is) > 0
    before = after
  }
  return moves
}

function follow(watched: Map<string, Watched>, { type, data }: Stripe.Event): void {
  if (type.startsWith('customer.subscription.')) {
    const snapshot = data.object as Stripe.Subscription
    const known = watched.get(snapshot.id)
    watched.set(snapshot.id, {
      plan: known?.plan ?? 'pro_monthly',
      yearly: 0,
      hasPaid: known?.hasPaid ?? false,
      trialEnd: snapshot.trial_end ?? 0,
      snapshot,
    })
  }
  if (type !== 'invoice.paid') return
  const invoice = data.object as Stripe.Invoice
  const one = watched.get(String(invoice.parent?.subscription_details?.subscription))
  if (one && invoice.created >= one.trialEnd) one.hasPaid = true
}

function worth(
  snapshot: Stripe.Subscription,
  hasPaid: boolean,
  coupons: ReadonlyMap<string, Stripe.Coupon>,
  planOf: (product: string) => PlanKey,
) {
  const price = snapshot.items.data[0]?.price
  if (!price) throw new Error('a subscription without items')
  const counts = hasPaid && (snapshot.status === 'active' || snapshot.status === 'past_due')
  let cents = price.unit_amount ?? 0
  for (const id of snapshot.discounts) {
    const coupon = coupons.get(String(id))
    if (!coupon || coupon.duration === 'once') continue
    cents -= coupon.amount_off ?? Math.round((cents * Number(coupon.percent_off)) / 100)
  }
  return {
    plan: planOf(String(price.product)),
    yearly: counts ? cents * (price.recurring?.interval === 'year' ? 1 : 12) : 0,
  }
}

async function billsOf(
  api: Stripe,
  customer: string,
  events: readonly Stripe.Event[],
  planOf: (product: string) => PlanKey,
): Promise<Bill[]> {
  const bills: Bill[] = []
  const charges: Stripe.Charge[] = []
  for await (const charge of api.charges.list({ customer, limit: 100 })) charges.push(charge)
  for await (const invoice of api.invoices.list({ customer, limit: 100, expand: ['data.payments'] })) {
    if (invoice.status === 'draft') continue
    const of = (type: string) => events.find((event) => event.type === type && idIn(event) === invoice.id)
    const intents = invoice.payments?.data.map(({ payment }) => payment.payment_intent) ?? []
    const refunds = charges.filter(({ payment_intent }) => intents.includes(payment_intent ?? ''))
    const subscription = await api.subscriptions.retrieve(String(invoice.parent?.subscription_details?.subscription))
    const isOver = subscription.status === 'canceled' || invoice.status === 'void'
    bills.push({
      customer,
      plan: planOf(String(invoice.lines.data.at(-1)?.pricing?.price_details?.product)),
      due: invoice.amount_due,
      paid: invoice.amount_paid,
      paidAt: of('invoice.paid')?.created ?? null,
      refunded: refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
      failedAt:
        invoice.billing_reason === 'subscription_create' ? null : (of('invoice.payment_failed')?.created ?? null),
      outcome: invoice.status === 'paid' ? 'failed_recovered' : isOver ? 'failed_lost' : 'failed_open',
    })
  }
  return bills
}

const idIn = ({ data }: Stripe.Event) => (data.object as { id?: string }).id

const monthOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 7)

/** Expected dashboard figures of a month, for one plan or all. */
export function expectedRevenue({ moves, invoices }: SandboxLedger, month: string, plan?: PlanKey): Revenue {
  const own = moves.filter((move) => !plan || move.plan === plan)
  const now = own.filter(({ at }) => monthOf(at) === month)
  const sumOf = (some: readonly Move[]) => ({
    cents: some.reduce((sum, { yearly }) => sum + yearly, 0),
    count: some.reduce((sum, { customers }) => sum + customers, 0),
  })
  const of = (...kinds: string[]) => sumOf(now.filter(({ kind }) => kinds.includes(kind)))
  const start = sumOf(own.filter(({ at }) => monthOf(at) < month))
  const end = sumOf(own.filter(({ at }) => monthOf(at) <= month))
  const monthly = (yearly: number) => Math.round(yearly / 12)
  const bills = invoices.filter((bill) => !plan || bill.plan === plan)
  const paid = bills.filter(({ paidAt }) => paidAt !== null && monthOf(paidAt) === month)
  const failed = (outcome?: Bill['outcome']) => {
    const some = bills.filter(
      (bill) => bill.failedAt !== null && monthOf(bill.failedAt) === month && (!outcome || bill.outcome === outcome),
    )
    return { count: some.length, cents: some.reduce((sum, { due }) => sum + due, 0) }
  }
  const [fresh, back, gone] = [of('new'), of('returned'), of('lost')]
  return {
    mrrCents: monthly(end.cents),
    customersAtStart: start.count,
    customers: end.count,
    new: { count: fresh.count, cents: monthly(fresh.cents) },
    returned: { count: back.count, cents: monthly(back.cents) },
    lost: { count: 0 - gone.count, cents: monthly(0 - gone.cents) },
    expansionCents: monthly(of('expansion').cents),
    contractionCents: monthly(0 - of('contraction').cents),
    moved: of('expansion', 'contraction').count,
    churn: start.count > 0 ? (0 - gone.count) / start.count : null,
    failed: failed(),
    failedOpen: failed('failed_open'),
    failedRecovered: failed('failed_recovered'),
    failedLost: failed('failed_lost'),
    paidCents: paid.reduce((sum, bill) => sum + bill.paid, 0),
    refundedCents: paid.reduce((sum, bill) => sum + bill.refunded, 0),
  }
}

/** Expected cohorts, newest first, computed customer by customer from the replayed events. */
export function expectedCohorts({ moves, invoices }: SandboxLedger, thisMonth: string): Cohort[] {
  const cohorts = new Map<string, Cohort>()
  for (const customer of new Set([...moves, ...invoices].map((each) => each.customer))) {
    const own = moves.filter((move) => move.customer === customer && monthOf(move.at) <= thisMonth)
    const bills = invoices.filter(
      (bill) => bill.customer === customer && bill.paidAt !== null && monthOf(bill.paidAt) <= thisMonth,
    )
    const starts = [...own.map(({ at }) => at), ...bills.map(({ paidAt }) => paidAt ?? Infinity)]
    if (starts.length === 0) continue
    const month = monthOf(Math.min(...starts))
    const months = monthsThrough(month, thisMonth)
    const cohort = cohorts.get(month) ?? {
      month,
      started: 0,
      remaining: months.map(() => 0),
      paidCents: 0,
      refundedCents: 0,
    }
    const paysIn = (at: string) =>
      own.filter((move) => monthOf(move.at) <= at).reduce((sum, { yearly }) => sum + yearly, 0) > 0
    cohorts.set(month, {
      month,
      started: cohort.started + Number(own.length > 0),
      remaining: months.map((at, index) => (cohort.remaining[index] ?? 0) + Number(paysIn(at))),
      paidCents: bills.reduce((sum, { paid }) => sum + paid, cohort.paidCents),
      refundedCents: bills.reduce((sum, { refunded }) => sum + refunded, cohort.refundedCents),
    })
  }
  return [...cohorts.values()].toSorted((a, b) => (a.month < b.month ? 1 : -1))
}

function monthsThrough(from: string, to: string): string[] {
  const [year = 0, month = 0] = from.split('-').map(Number)
  const months: string[] = []
  for (let index = 0; (months.at(-1) ?? '') < to; index += 1) {
    months.push(new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7))
  }
  return months
}
