import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { offerCodePattern, offerDurations } from '#shared/domain/offer-terms.ts'

const count = z.number().int().nonnegative()
const cents = z.number().int()
const day = z.iso.date()

const code = z
  .string()
  .trim()
  .regex(offerCodePattern, 'Use 3 to 40 letters, digits, and dashes')
  .transform((text) => text.toUpperCase())

const terms = {
  percentOff: z.number().int().min(1).max(100).nullable(),
  amountOffCents: cents.min(1).max(10_000_000).nullable(),
  duration: z.enum(offerDurations),
  months: z.number().int().min(1).max(36).nullable(),
}

const publicOfferSchema = z.object({
  code: z.string(),
  ...terms,
  /** Currency of the amount off. */
  currency: z.string().nullable(),
  plans: z.array(planKeySchema),
  /** The last day on which it can be used, in the publication's time zone. */
  lastDay: day.nullable(),
  newCustomersOnly: z.boolean(),
})
export type PublicOffer = z.infer<typeof publicOfferSchema>

/** An offer behind a link. Null if it doesn't exist, has ended or is used up: visitors can't tell which. */
export const offerCall = defineCall({
  name: 'offer',
  audience: 'public',
  input: z.object({ code: z.string().max(100) }),
  output: z.object({ offer: publicOfferSchema.nullable() }),
})

export const offerStates = ['running', 'used_up', 'ended', 'unfinished'] as const
export type OfferState = (typeof offerStates)[number]

const offerSchema = publicOfferSchema.extend({
  id: z.uuid(),
  /** Hidden from viewers, with the link. */
  code: z.string().nullable(),
  link: z.url().nullable(),
  state: z.enum(offerStates),
  createdAt: z.iso.datetime(),
  /** When it was ended, before its last day. */
  endedAt: z.iso.datetime().nullable(),
  /** False if it was ended in Stripe's dashboard. */
  endedHere: z.boolean(),
  maxRedemptions: count.nullable(),
  redeemed: count,
  customers: count,
  /** One for each currency that was paid in. */
  totals: z.array(
    z.object({
      currency: z.string(),
      /** All payments of the plans that were started with the offer, and how much of them was refunded. */
      paidCents: cents,
      refundedCents: cents,
      /** Sum that the offer took off paid invoices. */
      discountCents: cents,
    }),
  ),
})
export type Offer = z.infer<typeof offerSchema>

export const adminOffersCall = defineAdminCall({
  name: 'admin-offers',
  roles: ['owner', 'viewer'],
  input: z.object({}),
  output: z.object({
    /** For last days. */
    timeZone: z.string(),
    /** Newest first. */
    items: z.array(offerSchema),
  }),
})

/** Creates a coupon and a promotion code at Stripe. Fails with `offer_code_taken`. */
export const adminCreateOfferCall = defineAdminCall({
  name: 'admin-create-offer',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-offers'],
  input: z
    .object({
      /** One per form, so that a repeated request creates one offer. */
      requestId: z.uuid(),
      code,
      ...terms,
      plans: z.array(planKeySchema).min(1, 'Choose at least one plan').max(50),
      maxRedemptions: z.number().int().min(1).max(1_000_000).nullable(),
      lastDay: day.nullable(),
      newCustomersOnly: z.boolean(),
    })
    .refine(({ percentOff, amountOffCents }) => (percentOff === null) !== (amountOffCents === null), {
      message: 'Enter a percentage or an amount',
      path: ['percentOff'],
    })
    .refine(({ duration, months }) => (duration === 'repeating') === (months !== null), {
      message: 'Enter for how many months',
      path: ['months'],
    }),
  output: z.object({ id: z.uuid(), code: z.string(), link: z.url() }),
})
export type NewOffer = z.input<typeof adminCreateOfferCall.input>

/** Customers who redeemed the offer keep their discount. */
export const adminEndOfferCall = defineAdminCall({
  name: 'admin-end-offer',
  roles: ['owner'],
  invalidates: ['admin-offers'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
