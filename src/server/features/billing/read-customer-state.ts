import type Stripe from 'stripe'
import { type BillingDeps, fromSeconds } from './billing-deps.ts'
import { chooseSubscription, splitDuplicates } from './choose-subscription.ts'
import { findLiving } from './customer.ts'
import { endSurplus } from './end-surplus.ts'
import { isMissing } from './stripe-errors.ts'

/** What Stripe says about a customer at one moment. */
export type CustomerState = {
  /** The customer itself was deleted, or Stripe never had it. */
  gone: boolean
  subscription: Stripe.Subscription | null
  /** Creation of the oldest open invoice, while the subscription is past due. */
  unpaidSince: Date | null
  testNow: Date | null
  trialUsed: boolean
}

const nothing = { subscription: null, unpaidSince: null, testNow: null, trialUsed: false }

/**
 * Reads a customer's truth at Stripe. If there are two live subscriptions after all, the newer ones are ended here, so
 * that nobody goes on paying twice until a person has looked at an alert.
 */
export async function readCustomerState(
  deps: BillingDeps,
  customerId: string,
  options: Stripe.RequestOptions,
): Promise<CustomerState> {
  const subscriptions = await listSubscriptions(deps, customerId, options)
  const { kept, surplus } = splitDuplicates(subscriptions)
  for (const subscription of surplus) {
    await endSurplus(deps, subscription)
    deps.logger.error(
      { customerId, kept: kept?.id, ended: subscription.id },
      'two live subscriptions: the newer one was refunded and ended',
    )
  }
  const subscription = kept ?? chooseSubscription(subscriptions)
  // A deleted customer's subscriptions have all ended, so the customer is looked at only then.
  if (!kept && !(await findLiving(deps, customerId, options))) return { gone: true, ...nothing }
  return {
    gone: false,
    subscription,
    unpaidSince: subscription?.status === 'past_due' ? await findUnpaidSince(deps, subscription, options) : null,
    testNow: testTime(subscription?.test_clock),
    trialUsed: subscriptions.some(({ trial_start }) => trial_start !== null),
  }
}

async function listSubscriptions(deps: BillingDeps, customerId: string, options: Stripe.RequestOptions) {
  try {
    const found: Stripe.Subscription[] = []
    const pages = deps.stripe.subscriptions.list(
      { customer: customerId, status: 'all', limit: 100, expand: ['data.test_clock'] },
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

const testTime = (clock: Stripe.Subscription['test_clock'] | undefined): Date | null =>
  clock && typeof clock === 'object' ? fromSeconds(clock.frozen_time) : null
