import { invoke } from '#client/lib/invoke.ts'
import { checkSubscriptionCall } from '#shared/contracts/subscription.ts'

// Import this file dynamically, since the contract imports zod. Apart from `billing-requests.ts`, since every page of a
// member needs this one.
export const checkSubscription = (signal: AbortSignal) => invoke(checkSubscriptionCall, {}, signal)
