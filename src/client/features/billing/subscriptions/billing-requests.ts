import type { z } from 'zod'
import { CallError, invoke } from '#client/lib/calls.ts'
import { ownPriceCall, trialOfferCall } from '#shared/contracts/billing/billing.ts'
import { completeCheckoutCall, createCheckoutCall, customerPortalCall } from '#shared/contracts/billing/checkout.ts'
import { type Plan, plansCall } from '#shared/contracts/billing/plans.ts'
import { buyAccessCall } from '#shared/contracts/billing/purchases.ts'
import { checkoutPath } from './checkout-path.ts'
import { readOfferCode, rememberOfferCode } from './offer/remembered-offer.ts'

// Import this file dynamically: the landing page doesn't need it.
export const listPlans = async (signal: AbortSignal) => (await invoke(plansCall, {}, signal)).plans

/** Reasons why an offer can't be used, in the address of the page that starts checkout. */
const refusals = ['offer_unavailable', 'offer_for_new_customers'] as const

export const askOwnPrice = async (signal: AbortSignal) => (await invoke(ownPriceCall, {}, signal)).price

export const askTrialOffer = async (signal: AbortSignal) => (await invoke(trialOfferCall, {}, signal)).days

/**
 * Returns the URL of the checkout page, with the offer whose link was opened in this browser. If that can't be used, the
 * page that says so, where the visitor decides whether to pay the regular price.
 */
export async function createCheckout(
  plan: Plan | undefined,
  priceText: string,
  {
    seats,
    amountCents,
    agreed,
  }: { seats?: number | undefined; amountCents?: number | undefined; agreed?: string | undefined },
): Promise<string> {
  if (!plan) throw new CallError('plan_unavailable', 'This plan isn’t available. Choose another one.', 400)
  // The page was loaded before the plan's price changed.
  if (plan.priceText !== priceText) {
    throw new CallError('plan_unavailable', 'This plan has changed. Reload the page to see it.', 400)
  }
  const { key, priceId } = plan
  const { url }: { url?: string } = await invoke(createCheckoutCall, {
    priceId,
    offer: readOfferCode(),
    seats,
    amountCents,
    agreed,
  }).catch((error: unknown) => {
    const refusal = error instanceof CallError && refusals.find((code) => code === error.code)
    if (!refusal) throw error
    rememberOfferCode(null)
    return { url: `${checkoutPath(key)}?offer=${refusal}` }
  })
  if (!url) throw new CallError('no_checkout_url', 'No checkout URL returned', 502)
  return url
}

export const buyAccess = async (given: z.input<typeof buyAccessCall.input>) => (await invoke(buyAccessCall, given)).url

export const createPortalSession = async () => (await invoke(customerPortalCall, {})).url

export const completeCheckout = (sessionId: string, signal: AbortSignal) =>
  invoke(completeCheckoutCall, { sessionId }, signal)
