import { invoke } from '#client/lib/calls.ts'
import { mayHaveLibrary } from '#client/lib/offline/device-marks.ts'
import { checkSubscriptionCall } from '#shared/contracts/billing/subscription.ts'

// Import this file dynamically, since the contract imports zod. Apart from `billing-requests.ts`, since every page of a
// member needs this one.
/** Without a subscription, what this device kept for reading offline is removed. */
export async function checkSubscription(signal: AbortSignal) {
  const subscription = await invoke(checkSubscriptionCall, {}, signal)
  if (!subscription.subscribed && mayHaveLibrary()) {
    const { removeLibrary } = await import('#client/lib/offline/sync-library.ts')
    await removeLibrary()
  }
  return subscription
}
