import { z } from 'zod'
import { planKeys } from '../domain/plans.ts'
import { defineCall } from './define-call.ts'
import { subscriptionSchema } from './subscription.ts'

const instant = z.iso.datetime()
const cents = z.number().int()

/** How a subscription stands, in our words; `ending` runs until a date that is set, `ended` includes "never paid". */
export const billingStandings = ['none', 'trialing', 'active', 'ending', 'past_due', 'on_hold', 'ended'] as const
export type BillingStanding = (typeof billingStandings)[number]

const invoiceSchema = z.object({
  at: instant,
  amountCents: cents,
  /** Of what was paid, the part that was given back. */
  refundedCents: cents,
  currency: z.string(),
  status: z.enum(['paid', 'open', 'void', 'uncollectible']),
  /** Stripe's own page about it. It opens without a sign-in, so it is asked for anew each time and kept nowhere. */
  url: z.url().nullable(),
})
export type BillingInvoice = z.infer<typeof invoiceSchema>

/** The account's own plan as our row knows it, and what only Stripe knows: null while Stripe does not answer. */
export const billingOverviewCall = defineCall({
  name: 'billing-overview',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    standing: z.enum(billingStandings),
    plan: z.enum(planKeys).nullable(),
    /** End of the period that runs, or of the trial. */
    periodEnd: instant.nullable(),
    /** When the plan ends, if that is set. */
    endsAt: instant.nullable(),
    /** Until when the portal stays open after a failed renewal. */
    accessUntil: instant.nullable(),
    /** Whether that day has passed, by the clock that the plan lives by. */
    accessOver: z.boolean(),
    /** A gift of the publisher, whatever the plan. */
    complimentaryUntil: instant.nullable(),
    /** Whether a seat in somebody's team opens the portal to them now, whatever their own plan. */
    onSeat: z.boolean(),
    /** Days of a trial that this person would still get; 0 for none. */
    trialDays: z.number().int(),
    hasCustomer: z.boolean(),
    atStripe: z
      .object({
        /** The next charge: what will be asked on which day, discounts and credit counted. */
        next: z.object({ at: instant, amountCents: cents, currency: z.string() }).nullable(),
        /** Of unpaid invoices; the next try, if there is one. */
        due: z.object({ amountCents: cents, currency: z.string(), nextTryAt: instant.nullable() }).nullable(),
        card: z
          .object({ brand: z.string(), last4: z.string(), month: z.number().int(), year: z.number().int() })
          .nullable(),
        /** "20% off" */
        discounts: z.array(z.object({ code: z.string().nullable(), terms: z.string(), until: instant.nullable() })),
        /** What was paid too much and counts towards coming invoices. */
        credit: z.object({ amountCents: cents, currency: z.string() }).nullable(),
        invoices: z.array(invoiceSchema),
      })
      .nullable(),
  }),
})
export type BillingOverview = z.infer<typeof billingOverviewCall.output>

/** Days of a free trial that this person would still get; 0 for none. Asked where plans are shown. */
export const trialOfferCall = defineCall({
  name: 'trial-offer',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ days: z.number().int() }),
})

/** The plan's ids are the public ones of `plans`; everything else about the subscription the server knows itself. */
const priceId = z.string().min(1).max(255)
/** Made by the page once for each thing that somebody decides to do: the second click does not do it twice. */
const requestId = z.uuid()

/** What a switch would cost now. Nothing changes. */
export const previewSwitchCall = defineCall({
  name: 'preview-switch',
  audience: 'user',
  input: z.object({ priceId }),
  output: z.object({
    dueTodayCents: cents,
    currency: z.string(),
    /** What is left over of the old plan and counts towards coming invoices. */
    creditCents: cents,
    /** First charge after today. */
    nextAt: instant,
    /** What the plan costs then, discounts taken off and credit not. */
    nextCents: cents,
    /** Goes back with `switch-plan`, with the amount of today, so that the charge is the one that was shown. */
    prorationDate: z.number().int(),
  }),
})
export type SwitchPreview = z.infer<typeof previewSwitchCall.output>

/**
 * Switches to another plan and charges what the preview said; where that is no longer true, nothing. Needs a fresh proof
 * of identity, like all that follow.
 */
export const switchPlanCall = defineCall({
  name: 'switch-plan',
  audience: 'user',
  input: z.object({
    priceId,
    prorationDate: z.number().int().positive(),
    dueTodayCents: cents.nonnegative(),
    requestId,
  }),
  output: subscriptionSchema,
})

export const cancelReasons = {
  too_expensive: 'It costs too much',
  unused: 'I do not use it enough',
  missing_features: 'Something is missing',
  low_quality: 'It is not what I hoped for',
  switched_service: 'I found something else',
  too_complex: 'It is too complicated',
  customer_service: 'I was not treated well',
  other: 'Another reason',
} as const
export const cancelReasonKeys = Object.keys(cancelReasons) as [
  keyof typeof cancelReasons,
  ...(keyof typeof cancelReasons)[],
]

/** Ends the plan when the paid period is over; one whose renewal is unpaid has nothing left and ends at once. */
export const cancelPlanCall = defineCall({
  name: 'cancel-plan',
  audience: 'user',
  input: z.object({
    reason: z.enum(cancelReasonKeys).nullish(),
    comment: z.string().trim().max(500).nullish(),
    requestId,
  }),
  output: subscriptionSchema,
})

/** Takes a scheduled end back. */
export const resumePlanCall = defineCall({
  name: 'resume-plan',
  audience: 'user',
  input: z.object({ requestId }),
  output: subscriptionSchema,
})

/** Tries the card on file again for what is unpaid. */
export const payDueCall = defineCall({
  name: 'pay-due',
  audience: 'user',
  input: z.object({ requestId }),
  output: subscriptionSchema,
})

/** Stripe's page for a new card, which leads back to the billing page. */
export const updateCardCall = defineCall({
  name: 'update-card',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ url: z.url() }),
})
