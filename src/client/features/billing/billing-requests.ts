import { CallError, invoke } from '#client/lib/invoke.ts'
import { trialOfferCall } from '#shared/contracts/billing.ts'
import { completeCheckoutCall, createCheckoutCall, customerPortalCall } from '#shared/contracts/checkout.ts'
import { plansCall } from '#shared/contracts/plans.ts'

// Import this file dynamically: the landing page doesn't need it.
export const listPlans = async (signal: AbortSignal) => (await invoke(plansCall, {}, signal)).plans

export const askTrialOffer = async (signal: AbortSignal) => (await invoke(trialOfferCall, {}, signal)).days

/** Returns the URL of the checkout page. */
export async function createCheckout(priceId: string): Promise<string> {
  const { url }: { url?: string } = await invoke(createCheckoutCall, { priceId })
  if (!url) throw new CallError('no_checkout_url', 'No checkout URL returned', 502)
  return url
}

export const createPortalSession = async () => (await invoke(customerPortalCall, {})).url

export const completeCheckout = (sessionId: string, signal: AbortSignal) =>
  invoke(completeCheckoutCall, { sessionId }, signal)
