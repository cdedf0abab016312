import type Stripe from 'stripe'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { cardOf, cardOwnerOf, hasStartedTrial, wasTrialRefused } from '../checkout/trial-usage-of-cards.ts'
import { fetchCustomer } from '../customers/stripe-customer-ids.ts'
import { cancellationsOf, type PlanCancellation } from '../notices/cancellations.ts'
import { findPause, type Pause } from '../plan-changes/pause.ts'
import { revenueExpand } from '../revenue/fetch-revenue-records.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import { chooseSubscription, isLive, isPaidByInvoice, splitDuplicates } from './choose-subscription.ts'
import { canceledDuplicates, type Duplicate, findNewDuplicates } from './duplicate-subscriptions.ts'
import { billsOtherProducts, isPlanSubscription } from './plan-subscriptions.ts'

/** A customer's subscription state as read from Stripe. */
export type CustomerState = {
  /** The customer was deleted at Stripe or never existed. */
  isDeleted: boolean
  subscription: Stripe.Subscription | null
  /** When the oldest open invoice was due, or created if it wasn't sent; null unless the subscription is past due. */
  unpaidSince: Date | null
  /** When the oldest open invoice is due; null if none is open, and for plans paid by card. */
  invoiceDueAt: Date | null
  /** A pause of the payments that closes access. */
  pause: Pause | null
  testClockTime: Date | null
  /** First instant at which the default card is no longer valid. */
  cardExpiresAt: Date | null
  /** The card of a live plan and the name on it, the same for all customers with this card. */
  cardOwner: string | null
  /** True for those who had a trial. */
  trialUsed: boolean
  trialStarted: boolean
  /** Trials canceled because the card had already been used for one. */
  refusedTrials: Stripe.Subscription[]
  /** Duplicate plans that haven't been reported yet. */
  duplicates: Duplicate[]
  /** Plans that the customer canceled, also those that run until the end of the period. */
  cancellations: PlanCancellation[]
}

/** Expands the test clock and the card in the list call, which saves further calls. */
export const listExpand = [
  'data.test_clock',
  'data.default_payment_method',
  'data.customer.invoice_settings.default_payment_method',
]

const noSubscription = {
  subscription: null,
  unpaidSince: null,
  invoiceDueAt: null,
  pause: null,
  testClockTime: null,
  cardExpiresAt: null,
  cardOwner: null,
}

/**
 * Reads a customer's state from Stripe. Ignores subscriptions to other products.
 * @param subscriptions all subscriptions of the customer
 * @param exists whether the customer exists at Stripe, if that was read already
 */
export async function readCustomerState(
  deps: BillingDeps,
  customerId: string,
  { subscriptions, exists }: { subscriptions: readonly Stripe.Subscription[]; exists?: boolean },
  options: Stripe.RequestOptions,
): Promise<CustomerState> {
  const plans = subscriptions.filter((one) => isPlanSubscription(deps, one))
  const { kept, duplicates } = splitDuplicates(plans)
  const leftActive = duplicates.filter((one) => billsOtherProducts(deps, one))
  const shared = {
    trialUsed: plans.some((one) => hasStartedTrial(one) || wasTrialRefused(one)),
    trialStarted: plans.some(hasStartedTrial),
    refusedTrials: plans.filter(wasTrialRefused),
    cancellations: cancellationsOf(deps, customerId, plans),
    duplicates: await findNewDuplicates(deps, { canceled: canceledDuplicates(plans), leftActive }, options),
  }
  // Deleting a customer cancels its subscriptions, so check for deletion only if none is live.
  const isDeleted = !kept && !(exists ?? (await fetchCustomer(deps, customerId, options)))
  const subscription = kept ?? chooseSubscription(plans)
  if (isDeleted || !subscription) return { isDeleted, ...noSubscription, ...shared }
  const isLate = subscription.status === 'past_due'
  const isInvoiced = isPaidByInvoice(subscription) && isLive(subscription)
  const oldest = isLate || isInvoiced ? await findOldestDue(deps, subscription, options) : null
  return {
    ...stateOf(subscription),
    unpaidSince: isLate ? oldest : null,
    invoiceDueAt: isInvoiced ? oldest : null,
    pause: isLive(subscription) ? await findPause(deps, subscription, options) : null,
    ...shared,
  }
}

/** The state from one subscription alone, without invoices and earlier subscriptions. */
export const stateOf = (subscription: Stripe.Subscription): CustomerState => ({
  isDeleted: false,
  subscription,
  unpaidSince: null,
  invoiceDueAt: null,
  pause: null,
  testClockTime: testTime(subscription.test_clock),
  cardExpiresAt: isLive(subscription) && !isPaidByInvoice(subscription) ? endOfCard(subscription) : null,
  cardOwner: isLive(subscription) ? cardOwnerOf(subscription) : null,
  trialUsed: hasStartedTrial(subscription),
  trialStarted: hasStartedTrial(subscription),
  refusedTrials: [],
  duplicates: [],
  cancellations: [],
})

/** All subscriptions of a customer, ended ones included, newest first. Empty if Stripe doesn't know the customer. */
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
 * The oldest open invoice starts the grace period, with its due date if it was sent. Stripe creates an invoice every
 * period while past due, so the newest one would restart it each month.
 */
async function findOldestDue(deps: BillingDeps, { id }: Stripe.Subscription, options: Stripe.RequestOptions) {
  let oldest: number | null = null
  const open = deps.stripe.invoices.list({ subscription: id, status: 'open', limit: 100 }, options)
  for await (const { created, due_date: due } of open) {
    const since = due ?? created
    oldest = Math.min(since, oldest ?? since)
  }
  return oldest === null ? null : fromSeconds(oldest)
}

export const testTime = (clock: Stripe.Subscription['test_clock'] | undefined): Date | null =>
  clock && typeof clock === 'object' ? fromSeconds(clock.frozen_time) : null

function endOfCard(subscription: Stripe.Subscription): Date | null {
  const card = cardOf(subscription)
  // Stripe's months start at 1, so this is the first day of the following month.
  return card ? new Date(Date.UTC(card.exp_year, card.exp_month, 1)) : null
}
