import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineCall } from '#shared/contracts/define-call.ts'
import { subscriptionPriceSchema } from '#shared/domain/subscription-price.ts'
import { subscriptionSchema } from './subscription.ts'

const instant = z.iso.datetime()
const cents = z.number().int()
const money = z.object({ amountCents: cents, currency: z.string() })

/**
 * Status of a subscription as shown to members. `ending` has an end date; `paused` gives no access; `ended` includes one
 * that was never paid.
 */
export const billingStatuses = [
  'none',
  'trialing',
  'active',
  'ending',
  'paused',
  'past_due',
  'on_hold',
  'ended',
] as const
export type BillingStatus = (typeof billingStatuses)[number]

/** A discount that applies to the next invoices; `terms` such as "20% off". */
export const discountSchema = z.object({ code: z.string().nullable(), terms: z.string(), until: instant.nullable() })

const invoiceSchema = z.object({
  createdAt: instant,
  /** Negative for a credit: the customer's balance grows by it. */
  amountCents: cents,
  /** The part of the payment that was refunded. */
  refundedCents: cents,
  currency: z.string(),
  status: z.enum(['paid', 'open', 'void', 'uncollectible']),
  /** Of an invoice that was sent. */
  dueAt: instant.nullable(),
  /** True while a bank debit is on its way: it isn't paid yet, and can't be paid again. */
  isProcessing: z.boolean(),
  /** The invoice's page at Stripe. It opens without a sign-in, so it is fetched each time and never stored. */
  url: z.url().nullable(),
})
export type BillingInvoice = z.infer<typeof invoiceSchema>

export const billingOverviewCall = defineCall({
  name: 'billing-overview',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    status: z.enum(billingStatuses),
    plan: planKeySchema.nullable(),
    /** The price of their own subscription. Null without a plan, and for prices that can't be said in one amount. */
    price: subscriptionPriceSchema.nullable(),
    /** The price from a renewal ahead, if the publisher moves the member to it. */
    priceChange: z.object({ price: subscriptionPriceSchema, at: instant }).nullable(),
    /** End of the current period or trial. */
    periodEnd: instant.nullable(),
    /** When a canceled plan ends. */
    endsAt: instant.nullable(),
    /** A pause of the payments, also one that begins with the end of the paid period. */
    pause: z.object({ startsAt: instant, endsAt: instant.nullable() }).nullable(),
    /** The masked address of another account whose plan is charged to the same card. */
    otherAddressOnCard: z.string().nullable(),
    /** End of the grace period after a failed renewal. */
    accessUntil: instant.nullable(),
    /** True if `accessUntil` has passed, by the customer's test clock if there is one. */
    graceEnded: z.boolean(),
    /** End of complimentary access: granted by an admin, or a gift. */
    complimentaryUntil: instant.nullable(),
    /** True if it is a gift. */
    isGift: z.boolean(),
    /** True if it was paid for once. */
    isPaidOnce: z.boolean(),
    /** True if a team seat gives access now, regardless of the user's own plan. */
    hasTeamAccess: z.boolean(),
    /** Days of free trial that the user can still get; 0 for none. */
    trialDays: z.number().int(),
    hasCustomer: z.boolean(),
    /** Read from Stripe on each request; null while Stripe doesn't answer. */
    stripe: z
      .object({
        /** The next charge: the renewal price with discounts taken off, and the credit that reduces it. */
        nextPayment: money.extend({ dueAt: instant, creditCents: cents }).nullable(),
        /** Total of open invoices without a payment on its way, and the next automatic attempt if there is one. */
        amountDue: money.extend({ nextAttemptAt: instant.nullable() }).nullable(),
        card: z
          .object({ brand: z.string(), last4: z.string(), month: z.number().int(), year: z.number().int() })
          .nullable(),
        discounts: z.array(discountSchema),
        /** True if the plan's invoices are sent, and no card is charged. */
        paysByInvoice: z.boolean(),
        /** The customer's credit balance, applied to future invoices. */
        credit: money.nullable(),
        invoices: z.array(invoiceSchema),
      })
      .nullable(),
  }),
})
export type BillingOverview = z.infer<typeof billingOverviewCall.output>

/** Days of free trial that the user can still get; 0 for none. */
export const trialOfferCall = defineCall({
  name: 'trial-offer',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ days: z.number().int() }),
})

/** Price of the user's own subscription, such as "$7 per month". Null without one, as for team members. */
export const ownPriceCall = defineCall({
  name: 'own-price',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ price: z.string().nullable() }),
})

/** A price id from the `plans` call. */
const priceId = z.string().min(1).max(255)
/** Generated by the page for each decision and used as idempotency key, so a second click has no effect. */
const requestId = z.uuid()

/** Shows what switching plans would cost now. Changes nothing. */
export const previewSwitchCall = defineCall({
  name: 'preview-switch',
  audience: 'user',
  input: z.object({ priceId }),
  output: z.object({
    dueTodayCents: cents,
    currency: z.string(),
    /** Unused time of the current plan that is credited to future invoices. */
    creditCents: cents,
    /** First charge after today. */
    nextAt: instant,
    /** Price of the new plan then, after discounts and before credit. */
    nextCents: cents,
    /** Passed back to `switch-plan` with `dueTodayCents`, so that the charge equals the preview. */
    prorationDate: z.number().int(),
    /** Seats of the new plan, if it is priced per seat. */
    seats: z.number().int().nullable(),
  }),
})
export type SwitchPreview = z.infer<typeof previewSwitchCall.output>

/** Switches plans and charges the previewed amount; refused when the amount has changed. */
export const switchPlanCall = defineCall({
  name: 'switch-plan',
  audience: 'user',
  stepUp: true,
  input: z.object({
    priceId,
    prorationDate: z.number().int().positive(),
    dueTodayCents: cents.nonnegative(),
    /** The number that the preview showed. Refused if it would be another one now. */
    seats: z.number().int().nullish(),
    requestId,
  }),
  output: subscriptionSchema,
})

/** Labels of Stripe's cancellation reasons. */
export const cancelReasons = {
  too_expensive: 'It’s too expensive',
  unused: 'I don’t use it enough',
  missing_features: 'Something I need is missing',
  low_quality: 'It isn’t what I expected',
  switched_service: 'I’m switching to something else',
  too_complex: 'It’s too complicated',
  customer_service: 'I’m unhappy with customer service',
  other: 'Another reason',
} as const
export const cancelReasonKeys = Object.keys(cancelReasons) as [
  keyof typeof cancelReasons,
  ...(keyof typeof cancelReasons)[],
]

/** Cancels at the end of the paid period; a paused plan or one with an unpaid renewal ends immediately. */
export const cancelPlanCall = defineCall({
  name: 'cancel-plan',
  audience: 'user',
  stepUp: true,
  input: z.object({
    reason: z.enum(cancelReasonKeys).nullish(),
    comment: z.string().trim().max(500).nullish(),
    requestId,
  }),
  output: subscriptionSchema,
})

/** Offers to a member who wants to cancel. */
export const stayOfferKinds = ['pause', 'yearly', 'cheaper_plan', 'discount'] as const
const takenKinds = ['pause', 'discount'] as const
export const pauseMonths = [1, 2, 3] as const
export const pauseMonthsSchema = z.union(pauseMonths.map((months) => z.literal(months)))

/** Returns the offer that fits the reason, at most once a year; null if none does. Records it. */
export const offerToStayCall = defineCall({
  name: 'offer-to-stay',
  audience: 'user',
  input: z.object({ reason: z.enum(cancelReasonKeys) }),
  output: z.object({
    offer: z
      .object({
        id: z.uuid(),
        kind: z.enum(stayOfferKinds),
        /** For `yearly` and `cheaper_plan`, which are taken with `switch-plan`. */
        plan: planKeySchema.nullable(),
        /** For `discount`. */
        percentOff: z.number().int().nullable(),
      })
      .nullable(),
  }),
})
export type StayOffer = NonNullable<z.infer<typeof offerToStayCall.output>['offer']>

/** Takes an offered pause or discount. */
export const takeStayOfferCall = defineCall({
  name: 'take-stay-offer',
  audience: 'user',
  stepUp: true,
  input: z.object({
    id: z.uuid(),
    kind: z.enum(takenKinds),
    /** For `pause`. */
    months: pauseMonthsSchema.default(1),
    comment: z.string().trim().max(500).nullish(),
    requestId,
  }),
  output: subscriptionSchema,
})

/** Pauses the plan from the end of the paid period. */
export const pausePlanCall = defineCall({
  name: 'pause-plan',
  audience: 'user',
  stepUp: true,
  input: z.object({ months: pauseMonthsSchema, requestId }),
  output: subscriptionSchema,
})

/** Undoes a scheduled cancellation, or ends a pause. */
export const resumePlanCall = defineCall({
  name: 'resume-plan',
  audience: 'user',
  stepUp: true,
  input: z.object({ requestId }),
  output: subscriptionSchema,
})

/** Charges the card on file for the open invoices. */
export const payOpenInvoicesCall = defineCall({
  name: 'pay-open-invoices',
  audience: 'user',
  stepUp: true,
  input: z.object({ requestId }),
  output: subscriptionSchema,
})

/** Stripe's form for a new card, which returns to the billing page. Requires step-up. */
export const updateCardCall = defineCall({
  name: 'update-card',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ url: z.url() }),
})
