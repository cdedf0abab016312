import { z } from 'zod'

/**
 * Asked for in the transaction that gives an account another address, by whatever route. What follows from it concerns
 * features above this one: `billing/update-customer-email.ts` tells Stripe.
 */
export const emailChangedJob = {
  name: 'email-changed',
  payload: z.object({ userId: z.uuid() }),
  // With doubling pauses this outlasts any outage.
  retryLimit: 20,
}
