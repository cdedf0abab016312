import type Stripe from 'stripe'
import { type BillingDeps, fromSeconds } from './billing-deps.ts'
import { cancelDuplicateSubscription } from './cancel-duplicate-subscription.ts'
import { chooseSubscription, isLive, splitDuplicates } from './choose-subscription.ts'
import { fetchCustomer } from './customer.ts'
import { canceledDuplicates, type Duplicate, findNewDuplicates } from './duplicate-subscriptions.ts'
import { billsOtherProducts, isPlanSubscription } from './plan-subscriptions.ts'
import { revenueExpand } from './revenue/fetch-revenue-records.ts'
import { isMissing } from './stripe-errors.ts'
import { cardOf, hasStartedTrial, refuseSecondTrial, wasTrialRefused } from './trial-card-usage.ts'

/** What Stripe says about a customer at one moment. */
export type CustomerState = {
  /** The customer itself was deleted, or Stripe never had it. */
  gone: boolean
  subscription: Stripe.Subscription | null
  /** Creation of the oldest open invoice, while the subscription is past due. */
  unpaidSince: Date | null
  testClockTime: Date | null
  /** First instant at which the card that renewals are charged to is no longer valid. */
  cardExpiresAt: Date | null
  /** Whether they get no trial any more; `trialStarted`: because one really began. */
  trialUsed: boolean
  trialStarted: boolean
  /** Trials that were canceled because their card had one before. */
  refusedTrials: Stripe.Subscription[]
  /** Second plans that this look found, and that nobody has been told of. */
  duplicates: Duplicate[]
}

/** The card comes along with the one list that is read anyway. */
export const listExpand = [
  'data.test_clock',
  'data.default_payment_method',
  'data.customer.invoice_settings.default_payment_method',
]

const nothing = { subscription: null, unpaidSince: null, testClockTime: null, cardExpiresAt: null }

/**
 * Reads a customer's truth at Stripe. Only subscriptions to our plans count; those to other products of the same Stripe
 * account are left alone. If two plans are live, the newer one is refunded and canceled here, so that nobody pays twice
 * until a person reads an alert; unless it bills other products as well.
 */
export async function readCustomerState(
  deps: BillingDeps,
  customerId: string,
  options: Stripe.RequestOptions,
  expectsNone: boolean,
): Promise<CustomerState & { subscriptions: Stripe.Subscription[] }> {
  const [listed, lookedAt] = await Promise.all([
    listSubscriptions(deps, customerId, options),
    expectsNone ? fetchCustomer(deps, customerId, options) : undefined,
  ])
  const plans = listed.filter((one) => isPlanSubscription(deps, one))
  const allowed = await withoutSecondTrials(deps, plans)
  const { kept, surplus } = splitDuplicates(allowed)
  const left = surplus.filter((one) => billsOtherProducts(deps, one))
  const duplicates = surplus.filter((one) => !left.includes(one))
  for (const subscription of duplicates) {
    await cancelDuplicateSubscription(deps, subscription, kept?.id ?? '')
    const ids = { customerId, kept: kept?.id, canceled: subscription.id }
    deps.logger.error(ids, 'two live plans: the newer one was refunded and canceled')
  }
  // Read again for the books, which say when they ended.
  const isSame = duplicates.length === 0 && allowed.length === plans.length
  const subscriptions = isSame ? listed : await listSubscriptions(deps, customerId, options)
  const ours = subscriptions.filter((one) => isPlanSubscription(deps, one))
  const subscription = kept ?? chooseSubscription(ours)
  const shared = {
    trialUsed: ours.some((one) => hasStartedTrial(one) || wasTrialRefused(one)),
    trialStarted: ours.some(hasStartedTrial),
    refusedTrials: ours.filter(wasTrialRefused),
    duplicates: await findNewDuplicates(deps, { canceled: canceledDuplicates(ours), left }, options),
    subscriptions,
  }
  // A deleted customer's subscriptions have all ended, so the customer is looked at only then.
  const isGone = !kept && !(lookedAt === undefined ? await fetchCustomer(deps, customerId, options) : lookedAt)
  if (isGone) return { gone: true, ...nothing, ...shared }
  if (!subscription) return { gone: false, ...nothing, ...shared }
  const unpaidSince = subscription.status === 'past_due' ? await findUnpaidSince(deps, subscription, options) : null
  return { ...stateOf(subscription), unpaidSince, ...shared }
}

/** All but those whose trial is refused here. */
async function withoutSecondTrials(deps: BillingDeps, plans: readonly Stripe.Subscription[]) {
  const left: Stripe.Subscription[] = []
  for (const subscription of plans) {
    const mixed = billsOtherProducts(deps, subscription)
    if (mixed || !(await refuseSecondTrial(deps, subscription))) left.push(subscription)
  }
  return left
}

/** What one subscription says by itself; since when something is unpaid, and what came before it, it does not. */
export const stateOf = (subscription: Stripe.Subscription): CustomerState => ({
  gone: false,
  subscription,
  unpaidSince: null,
  testClockTime: testTime(subscription.test_clock),
  cardExpiresAt: isLive(subscription) ? endOfCard(subscription) : null,
  trialUsed: hasStartedTrial(subscription),
  trialStarted: hasStartedTrial(subscription),
  refusedTrials: [],
  duplicates: [],
})

/** All that a customer ever had, newest first; none for a customer that Stripe does not know. */
export async function listSubscriptions(
  deps: BillingDeps,
  customerId: string,
  options: Stripe.RequestOptions,
): Promise<Stripe.Subscription[]> {
  try {
    const found: Stripe.Subscription[] = []
    const pages = deps.stripe.subscriptions.list(
      { customer: customerId, status: 'all', limit: 100, expand: [...listExpand, ...revenueExpand] },
      options,
    )
    for await (const subscription of pages) found.push(subscription)
    return found
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/**
 * The grace period counts from the oldest open invoice: while past due, Stripe goes on making an invoice every period,
 * and the latest one would start the grace anew each month.
 */
async function findUnpaidSince(deps: BillingDeps, { id }: Stripe.Subscription, options: Stripe.RequestOptions) {
  let oldest: number | null = null
  const open = deps.stripe.invoices.list({ subscription: id, status: 'open', limit: 100 }, options)
  for await (const { created } of open) oldest = Math.min(created, oldest ?? created)
  return oldest === null ? null : fromSeconds(oldest)
}

export const testTime = (clock: Stripe.Subscription['test_clock'] | undefined): Date | null =>
  clock && typeof clock === 'object' ? fromSeconds(clock.frozen_time) : null

function endOfCard(subscription: Stripe.Subscription): Date | null {
  const card = cardOf(subscription)
  // Stripe counts months from 1, so this is the month after.
  return card ? new Date(Date.UTC(card.exp_year, card.exp_month, 1)) : null
}
