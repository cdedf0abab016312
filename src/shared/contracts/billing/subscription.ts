import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

/** `subscription_end` is an ISO-8601 instant, null when not subscribed. */
export const subscriptionSchema = z.object({
  subscribed: z.boolean(),
  product_id: z.string().nullable(),
  subscription_end: z.iso.datetime().nullable(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

export const notSubscribed: Subscription = { subscribed: false, product_id: null, subscription_end: null }

export const checkSubscriptionCall = defineCall({
  name: 'check-subscription',
  audience: 'user',
  /** `refresh` syncs with Stripe first, at most once per 30 seconds and user. */
  input: z.object({ refresh: z.boolean().optional() }),
  output: subscriptionSchema,
})
