import { CallError, invoke } from '#client/lib/calls.ts'
import { trialOfferCall } from '#shared/contracts/billing.ts'
import { completeCheckoutCall, createCheckoutCall, customerPortalCall } from '#shared/contracts/checkout.ts'
import { plansCall } from '#shared/contracts/plans.ts'
import { checkSubscriptionCall } from '#shared/contracts/subscription.ts'

/*
 * Apart from billing.api.ts because the contracts bring their validation library along, which a visitor of the landing
 * page does not need. Imported dynamically only.
 */
export const checkSubscription = (signal: AbortSignal) => invoke(checkSubscriptionCall, {}, signal)

export const listPlans = async (signal: AbortSignal) => (await invoke(plansCall, {}, signal)).plans

export const askTrialOffer = async (signal: AbortSignal) => (await invoke(trialOfferCall, {}, signal)).days

/** Answers the address of the checkout page. */
export async function createCheckout(priceId: string): Promise<string> {
  const { url } = await invoke({ ...createCheckoutCall, output: createCheckoutCall.output.partial() }, { priceId })
  if (!url) throw new CallError('no_checkout_url', 'No checkout URL returned', 502)
  return url
}

export const createPortalSession = async () => (await invoke(customerPortalCall, {})).url

export const completeCheckout = (sessionId: string, signal: AbortSignal) =>
  invoke(completeCheckoutCall, { sessionId }, signal)
