import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { maxPlanSeats } from '#shared/domain/plan-problem.ts'
import { subscriptionSchema } from './subscription.ts'

const urlOutput = z.object({ url: z.url() })

export const createCheckoutCall = defineCall({
  name: 'create-checkout',
  audience: 'user',
  /** `offer`: the code of an offer link. Fails with `offer_unavailable` or
   * `offer_for_new_customers`, before Stripe is opened. Ignored for plans that the offer doesn't cover.
   * `agreed`: the terms that the buyer ticked the box for, line by line; fails with `consent_required` if the publisher
   * asks for it and they have changed.
   * `amountCents`: for a plan whose buyers choose the amount; default: the suggested one. Refused for others.
   * `seats`: for a plan that is priced per seat; default: its minimum. Ignored for other plans. */
  input: z.object({
    priceId: z.string().min(1).max(255),
    offer: z.string().max(100).nullish(),
    seats: z.number().int().min(1).max(maxPlanSeats).nullish(),
    amountCents: z.number().int().positive().nullish(),
    agreed: z.string().max(2000).nullish(),
  }),
  output: urlOutput,
})

/** Stripe's customer portal, behind Manage. */
export const customerPortalCall = defineCall({
  name: 'customer-portal',
  audience: 'user',
  input: z.object({}),
  output: urlOutput,
})

/** Return page of checkout. The session id only names a checkout and grants nothing. */
export const completeCheckoutCall = defineCall({
  name: 'complete-checkout',
  audience: 'user',
  input: z.object({ sessionId: z.string().min(1).max(255) }),
  output: subscriptionSchema,
})
