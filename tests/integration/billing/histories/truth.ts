import type Stripe from 'stripe'
import { planKeys } from '#tests/support/default-plans.ts'
import { withLostDisputes } from './disputes.ts'
import type { Person, World } from './world.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The expected state of a person, computed from Stripe's objects without the app's code. */
export type ExpectedState = {
  /** Expected response of `check-subscription`. */
  answer: { subscribed: boolean; product_id: string | null; subscription_end: string | null }
  /** The person's live subscription, or null. */
  live: { id: string; status: string } | null
  /** Recurring yearly amount, and total payments and refunds, in each currency. */
  pays: Record<string, Money>
  /** Descriptions of billing errors. */
  wrongs: string[]
}

export type Money = {
  yearlyCents: number
  paidCents: number
  refundedCents: number
  paidTaxCents: number
  refundedTaxCents: number
}

type Bought = {
  subscription: Stripe.Subscription
  /** The item of one of our plans, if any. */
  item: Stripe.SubscriptionItem | undefined
  /** Whether it bills other products. */
  hasOthers: boolean
  /** Payments charged more than once. */
  chargedTwice: string[]
  chargedCents: number
  refundedCents: number
  /** The part of the charges that is for our plans. */
  planCents: number
  /** Has a paid invoice, possibly of zero after discounts, for time after the trial. */
  hasPaid: boolean
  /** The tax in payments for our plans, and in what was refunded of them. */
  planTaxCents: number
  refundedTaxCents: number
  /** The newest charge for the plan contained tax. */
  isTaxIncluded: boolean
  /** The current period was voided by a pause. */
  isUnpaidPause: boolean
}

const seconds = (value: number) => new Date(value * 1000)
const live = new Set(['active', 'trialing', 'past_due'])

export async function expectedState(world: World, person: Person): Promise<ExpectedState> {
  const bought: Bought[] = []
  let living = 0
  for (const customer of person.customers) {
    const found = await world.api.customers.retrieve(customer)
    if (!found.deleted) living += 1
    bought.push(...(await boughtBy(world, customer)))
  }
  const plans = bought.filter(({ item }) => item !== undefined)
  const running = plans.filter(({ subscription }) => live.has(subscription.status))
  const billingErrors = [...wrongsOf(person, plans), ...wrongsOfOthers(person, bought)]
  if (living > 1) billingErrors.push(`${living} customers for one person`)
  // The newer of two plans is canceled unless it bills other products.
  const excess = running.slice(0, -1).filter(({ hasOthers }) => !hasOthers)
  if (excess.length > 0) billingErrors.push(`${running.length} live subscriptions`)
  const one = running.at(-1)
  return {
    answer: one ? await answerFor(world, one) : nothing,
    live: one ? { id: one.subscription.id, status: one.subscription.status } : null,
    pays: Object.fromEntries(
      [...new Set(plans.map(currencyOf))].map((currency) => {
        const own = plans.filter((one) => currencyOf(one) === currency)
        const money = {
          yearlyCents: sum(own.filter((one) => running.includes(one)).map(yearlyOf)),
          paidCents: sum(own.map(({ planCents }) => planCents)),
          refundedCents: sum(own.map(({ refundedCents }) => refundedCents)),
          paidTaxCents: sum(own.map(({ planTaxCents }) => planTaxCents)),
          refundedTaxCents: sum(own.map(({ refundedTaxCents }) => refundedTaxCents)),
        }
        return [currency, money]
      }),
    ),
    wrongs: billingErrors,
  }
}

const currencyOf = ({ subscription }: Bought) => subscription.currency

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

/** Counts from the first payment after the trial until the subscription ends, failed renewals included, pauses not. */
function yearlyOf({ subscription, item, hasPaid, isUnpaidPause, isTaxIncluded }: Bought): number {
  const price = item?.price
  if (!price || !hasPaid || isUnpaidPause || subscription.status === 'trialing') return 0
  const shown = (price.unit_amount ?? 0) * (item.quantity ?? 1)
  const cents = isTaxIncluded ? Math.round(shown / 1.2) : shown
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {}
  const perYear = { day: 365, week: 52, month: 12, year: 1 }[interval as 'week' | 'month' | 'year']
  return Math.round((cents * perYear) / count)
}

const nothing = { subscribed: false, product_id: null, subscription_end: null }

async function answerFor(world: World, { subscription, item }: Bought): Promise<ExpectedState['answer']> {
  const product = String(item?.price.product)
  const ours = planKeys.some((key) => world.config.stripe.ids[key].productId === product)
  const clock = subscription.test_clock as Stripe.TestHelpers.TestClock | null
  const now = clock ? seconds(clock.frozen_time) : world.clock.now
  const { until, shown } = await windowOf(world.api, subscription)
  if (!ours || now >= until) return nothing
  return { subscribed: true, product_id: product, subscription_end: shown.toISOString() }
}

async function windowOf(api: Stripe, subscription: Stripe.Subscription): Promise<{ until: Date; shown: Date }> {
  const { until, shown } = await windowWithoutPause(api, subscription)
  if (!subscription.pause_collection) return { until, shown }
  const { data } = await api.invoices.list({ subscription: subscription.id, limit: 100 })
  const paid = data.findIndex(({ status }) => status !== 'void')
  const skipped = data.slice(0, paid).filter(isRenewal)
  const begins = skipped.at(-1)?.lines.data.at(-1)?.period.start ?? subscription.items.data[0]?.current_period_end
  const pause = seconds(begins ?? 0)
  return { until: until < pause ? until : pause, shown: shown < pause ? shown : pause }
}

const isRenewal = ({ billing_reason: reason }: Stripe.Invoice) => reason === 'subscription_cycle'

async function windowWithoutPause(
  api: Stripe,
  subscription: Stripe.Subscription,
): Promise<{ until: Date; shown: Date }> {
  const item = subscription.items.data[0]
  if (!item) throw new Error('a subscription without items')
  if (subscription.status === 'past_due') {
    const open = await api.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 })
    const since =
      open.data.length > 0 ? Math.min(...open.data.map(({ created }) => created)) : item.current_period_start
    const end = new Date(since * 1000 + 7 * dayMs)
    return { until: end, shown: end }
  }
  const { cancel_at, cancel_at_period_end } = subscription
  const end = cancel_at ?? (cancel_at_period_end ? item.current_period_end : null)
  if (end !== null) return { until: seconds(end), shown: seconds(end) }
  return { until: new Date(item.current_period_end * 1000 + dayMs), shown: seconds(item.current_period_end) }
}

async function boughtBy(world: World, customer: string): Promise<Bought[]> {
  const { api, isPlan, isOtherPrice } = world
  const subscriptions = await api.subscriptions.list({
    customer,
    status: 'all',
    limit: 100,
    expand: ['data.test_clock'],
  })
  const invoices = await api.invoices.list({ customer, limit: 100, expand: ['data.payments'] })
  const paid = (await api.charges.list({ customer, limit: 100 })).data.filter((charge) => charge.paid)
  const charges = await Promise.all(paid.map((charge) => withLostDisputes(world, charge)))
  const isPlanLine = ({ pricing }: Stripe.InvoiceLineItem) => !isOtherPrice(pricing?.price_details?.price)
  /** With the tax that is added to the price. */
  const paidFor = (some: Stripe.InvoiceLineItem[]) =>
    sum(
      some.map(({ amount, discount_amounts: off, taxes }) => {
        const added = (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'exclusive')
        return amount - sum((off ?? []).map((one) => one.amount)) + sum(added.map((one) => one.amount))
      }),
    )
  return subscriptions.data.map((subscription) => {
    const intents = new Set(
      invoices.data
        .filter(({ parent }) => parent?.subscription_details?.subscription === subscription.id)
        .flatMap(({ payments }) => payments?.data ?? [])
        .map(({ payment }) => payment.payment_intent),
    )
    const own = charges.filter(({ payment_intent }) => payment_intent && intents.has(payment_intent))
    const intentOf = ({ payment_intent }: Stripe.Charge) => String(payment_intent)
    const item = subscription.items.data.find(isPlan)
    const newest = invoices.data
      .filter(
        ({ parent, status }) => parent?.subscription_details?.subscription === subscription.id && status !== 'void',
      )
      .filter(({ id }) => !(subscription.pending_update && id === subscription.latest_invoice))
      .flatMap(({ lines }) => lines.data.filter((line) => isPlanLine(line) && line.amount > 0).slice(-1))[0]
    const hasOthers = subscription.items.data.some((one) => !isPlan(one))
    const planPart = ({ payment_intent, amount }: Stripe.Charge) => {
      const invoice = invoices.data.find(({ payments }) =>
        payments?.data.some(({ payment }) => payment.payment_intent === payment_intent),
      )
      const lines = invoice?.lines.data ?? []
      const plans = lines.filter(isPlanLine)
      if (plans.length === lines.length) return amount
      return Math.round(amount * Math.min(1, Math.max(0, paidFor(plans) / paidFor(lines))))
    }
    const taxIn = (charge: Stripe.Charge, cents: number) => {
      const invoice = invoices.data.find(({ payments }) =>
        payments?.data.some(({ payment }) => payment.payment_intent === charge.payment_intent),
      )
      const plans = (invoice?.lines.data ?? []).filter(isPlanLine)
      const tax = sum(plans.flatMap(({ taxes }) => taxes ?? []).map((each) => each.amount))
      return paidFor(plans) > 0 ? Math.round(cents * Math.min(1, Math.max(0, tax / paidFor(plans)))) : 0
    }
    return {
      subscription,
      item,
      hasOthers,
      planCents: sum(own.map(planPart)),
      planTaxCents: sum(own.map((charge) => taxIn(charge, planPart(charge)))),
      refundedTaxCents: sum(own.map((charge) => taxIn(charge, charge.amount_refunded))),
      isTaxIncluded: (newest?.taxes ?? []).some(({ tax_behavior: behavior }) => behavior === 'inclusive'),
      chargedTwice: own.map(intentOf).filter((intent, index, all) => all.indexOf(intent) !== index),
      chargedCents: sum(own.map(({ amount }) => amount)),
      refundedCents: sum(own.map(({ amount_refunded }) => amount_refunded)),
      isUnpaidPause: isVoidRenewal(
        invoices.data.find(
          (invoice) =>
            invoice.parent?.subscription_details?.subscription === subscription.id &&
            (invoice.status !== 'void' || isRenewal(invoice)) &&
            !(subscription.pending_update && invoice.id === subscription.latest_invoice),
        ),
      ),
      hasPaid: invoices.data.some(
        ({ parent, status, created }) =>
          parent?.subscription_details?.subscription === subscription.id &&
          status === 'paid' &&
          created >= (subscription.trial_end ?? 0),
      ),
    }
  })
}

const isVoidRenewal = (invoice: Stripe.Invoice | undefined) =>
  invoice !== undefined && invoice.status === 'void' && isRenewal(invoice)

/** Canceled without a charge because the card was already used for a trial. */
const isRefusedTrial = ({ cancellation_details: details }: Stripe.Subscription) =>
  details?.comment === 'This card was already used for a free trial.'

/** Subscriptions to other products must stay unchanged: never refunded, edited or canceled by us. */
function* wrongsOfOthers(person: Person, bought: readonly Bought[]): Generator<string> {
  for (const { subscription: now, refundedCents } of bought) {
    const then = person.others.find(({ id }) => id === now.id)
    if (!then) continue
    const byHand = person.endedByHand.has(now.id) || now.cancellation_details?.reason === 'payment_failed'
    if (now.status === 'canceled' && !byHand) yield `${now.id}, which is not ours alone, was canceled`
    if (refundedCents > 0) yield `${now.id}, which is not ours alone, was paid back`
    const facts = ({ metadata, items }: Stripe.Subscription) => JSON.stringify([metadata, items.data.length])
    if (facts(now) !== facts(then)) yield `${now.id}, which is not ours alone, was changed`
  }
}

/**
 * No double charges: duplicates are refunded in full, nothing else is refunded, and subscriptions bought through the app
 * never overlap.
 */
function* wrongsOf(person: Person, bought: readonly Bought[]): Generator<string> {
  const isDuplicate = ({ subscription, hasOthers }: Bought) =>
    subscription.status === 'canceled' &&
    !isRefusedTrial(subscription) &&
    !hasOthers &&
    subscription.cancellation_details?.reason !== 'payment_failed' &&
    !person.endedByHand.has(subscription.id)
  const trials = bought.filter(({ subscription }) => subscription.trial_start !== null && !isRefusedTrial(subscription))
  if (trials.length > 1) yield `${trials.length} trials for one person`
  for (const one of bought) {
    for (const intent of one.chargedTwice) yield `${intent} was charged twice`
    const { subscription, chargedCents, refundedCents } = one
    if (isRefusedTrial(subscription) && chargedCents > 0) yield `${subscription.id} was charged for a refused trial`
    const words = `${subscription.id} (charged ${chargedCents}, refunded ${refundedCents})`
    if (isDuplicate(one) && person.boughtPastApp.size === 0) yield `the app itself sold the duplicate ${words}`
    if (isDuplicate(one) && refundedCents !== chargedCents) yield `the duplicate ${words} was not refunded in full`
    const isRefundedByHand = person.refundedByHand.has(subscription.id)
    if (!isDuplicate(one) && refundedCents > 0 && !isRefundedByHand) yield `${words} was refunded without a reason`
  }
  const kept = bought.filter(
    ({ subscription, chargedCents, refundedCents }) =>
      !person.boughtPastApp.has(subscription.id) && chargedCents > refundedCents,
  )
  for (const [index, { subscription: one }] of kept.entries()) {
    for (const { subscription: other } of kept.slice(index + 1)) {
      if (one.customer !== other.customer) continue
      const apart = (one.ended_at ?? Infinity) <= other.created || (other.ended_at ?? Infinity) <= one.created
      if (!apart) yield `${one.id} and ${other.id} were paid for the same time`
    }
  }
}
