import { z } from 'zod'

/** Queued whenever a user's address changes. `billing/subscriptions` handles it and updates Stripe. */
export const emailChangedJob = {
  name: 'email-changed',
  payload: z.object({ userId: z.uuid() }),
  // With exponential backoff, this outlasts long outages.
  retryLimit: 20,
}
