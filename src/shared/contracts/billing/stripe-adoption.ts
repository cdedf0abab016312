import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const count = z.int().nonnegative()
const plan = planKeySchema

/** Effect of adopting on a customer. */
export const adoptionOutcomes = ['new', 'existing', 'linked', 'unmapped', 'conflict'] as const
export type AdoptionOutcome = (typeof adoptionOutcomes)[number]

const priceSchema = z.object({
  id: z.string(),
  productId: z.string(),
  name: z.string(),
  amountCents: z.number(),
  currency: z.string(),
  interval: z.string(),
  subscriptions: count,
  /** The plan that the price counts as; null if it is left alone. */
  plan: plan.nullable(),
  /** The price is of one of our own products, so its plan can't be chosen. */
  isOwn: z.boolean(),
})
export type AdoptablePrice = z.infer<typeof priceSchema>

const adoptionSchema = z.object({
  id: z.uuid(),
  status: z.enum(['listing', 'listed', 'running', 'finished', 'canceled']),
  listed: count,
  createdAt: z.iso.datetime(),
  prices: z.array(priceSchema),
  counts: z.record(z.enum(adoptionOutcomes), count),
  examples: z.array(
    z.object({
      customerId: z.string(),
      email: z.string(),
      outcome: z.enum(adoptionOutcomes),
      plan: plan.nullable(),
      detail: z.string(),
    }),
  ),
})
export type StripeAdoption = z.infer<typeof adoptionSchema>

const output = z.object({ adoption: adoptionSchema.nullable() })

/** The latest adoption with what it would do, or did. */
export const adminStripeAdoptionCall = defineAdminCall({
  name: 'admin-stripe-adoption',
  roles: ['owner'],
  input: z.object({}),
  output,
})

/** Lists the account's subscriptions. Reads only. */
export const adminListStripeCall = defineAdminCall({
  name: 'admin-list-stripe-subscriptions',
  roles: ['owner'],
  input: z.object({}),
  output,
})

/** Says which plan a price of another product counts as. */
export const adminMapStripePriceCall = defineAdminCall({
  name: 'admin-map-stripe-price',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ priceId: z.string().min(1).max(255), plan: plan.nullable() }),
  output,
})

/** Links customers to members. Charges no one and changes nothing at Stripe. */
export const adminAdoptStripeCall = defineAdminCall({
  name: 'admin-adopt-stripe-subscriptions',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ id: z.uuid() }),
  output,
})

export const adminCancelAdoptionCall = defineAdminCall({
  name: 'admin-cancel-stripe-adoption',
  roles: ['owner'],
  input: z.object({ id: z.uuid() }),
  output,
})
