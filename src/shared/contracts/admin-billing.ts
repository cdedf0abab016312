import { z } from 'zod'
import { planKeys } from '../domain/plans.ts'
import { defineCall } from './define-call.ts'

const instant = z.iso.datetime()
const cents = z.number().int()
const whom = z.object({ user_id: z.uuid() })

/** What our row says of a subscription, in Stripe's status words. */
const subscriptionFactsSchema = z.object({
  status: z.string(),
  plan: z.enum(planKeys).nullable(),
  product_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  current_period_start: instant.nullable(),
  current_period_end: instant.nullable(),
  cancel_at: instant.nullable(),
  ended_at: instant.nullable(),
  unpaid_since: instant.nullable(),
  entitled_until: instant.nullable(),
  trial_used: z.boolean(),
  /** Simulated time of a customer on a test clock. */
  test_clock_time: instant.nullable(),
  synced_at: instant,
})

/** Why somebody is entitled or not, with everything that the answer is computed from. */
export const adminEntitlementCall = defineCall({
  name: 'admin-entitlement',
  audience: 'admin',
  input: whom,
  output: z.object({
    entitled: z.boolean(),
    /** What opens the portal to them. */
    by: z.enum(['plan', 'team', 'gift']).nullable(),
    until: instant.nullable(),
    /** The rule that decided, in sentences. */
    words: z.array(z.string()),
    customer_id: z.string().nullable(),
    subscription: subscriptionFactsSchema.nullable(),
    /** The seat and the subscription of the owner who gave it. */
    team: z.object({ owner_id: z.uuid(), owner_email: z.string(), subscription: subscriptionFactsSchema }).nullable(),
    gift: z
      .object({ until: instant, note: z.string().nullable(), granted_by: z.string(), granted_at: instant })
      .nullable(),
    /** What Stripe told us of the customer, newest first. */
    events: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        created_at: instant,
        received_at: instant,
        processed_at: instant.nullable(),
        /** Tries that failed. */
        attempts: z.number().int(),
        error: z.string().nullable(),
      }),
    ),
  }),
})
export type EntitlementReport = z.infer<typeof adminEntitlementCall.output>

/** Looks at Stripe now and says what that changed. */
export const adminCheckStripeCall = defineCall({
  name: 'admin-check-stripe',
  audience: 'admin',
  input: whom,
  output: z.object({
    changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  }),
})

/** Opens the portal to somebody until a date, without a plan. Granting again replaces the date. Needs a fresh proof. */
export const adminGrantAccessCall = defineCall({
  name: 'admin-grant-access',
  audience: 'admin',
  input: whom.extend({ until: instant, note: z.string().trim().max(300).nullish() }),
  output: z.object({ until: instant }),
})

export const adminRevokeAccessCall = defineCall({
  name: 'admin-revoke-access',
  audience: 'admin',
  input: whom,
  output: z.object({ revoked: z.boolean() }),
})

const count = z.number().int()
/** Customers, and what they pay a month. */
const movementSchema = z.object({ count, cents })

/** What a month brought. Cents a month, each rounded by itself from exact sums; months are calendar months in UTC. */
const revenueSchema = z.object({
  /** Monthly recurring revenue at the month's end. */
  mrr_cents: cents,
  customers_at_start: count,
  customers: count,
  new: movementSchema,
  /** Customers who had left and pay again. */
  returned: movementSchema,
  lost: movementSchema,
  /** More and less from customers who stayed. */
  expansion_cents: cents,
  contraction_cents: cents,
  /** Customers of this plan who changed to it (or, negative, from it). */
  moved: count,
  /** Lost customers to those at the start; null when there were none. */
  churn: z.number().nullable(),
  /** Invoices whose first failed try fell into the month, and what has become of them since. */
  failed: movementSchema,
  failed_open: movementSchema,
  failed_recovered: movementSchema,
  failed_lost: movementSchema,
  /** What was paid in the month, and what has been given back of it since. */
  paid_cents: cents,
  refunded_cents: cents,
})
export type Revenue = z.infer<typeof revenueSchema>

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

/** Twelve months, the newest one last, from our own books. */
export const adminRevenueCall = defineCall({
  name: 'admin-revenue',
  audience: 'admin',
  input: z.object({ until: month.nullish() }),
  output: z.object({
    currency: z.string(),
    /** First month with a payment or a change; null before the first. */
    oldest: month.nullable(),
    /** This month, or a later one that a customer on a test clock has reached. */
    newest: month,
    this_month: month,
    months: z.array(
      z.object({
        month,
        total: revenueSchema,
        plans: z.array(z.object({ plan: z.enum(planKeys), revenue: revenueSchema })),
      }),
    ),
  }),
})
export type RevenueReport = z.infer<typeof adminRevenueCall.output>

/** What the Stripe customer subscribes to besides our plans, and second plans that we found. Changes nothing. */
export const adminOtherSubscriptionsCall = defineCall({
  name: 'admin-other-subscriptions',
  audience: 'admin',
  input: z.object({ userId: z.uuid() }),
  output: z.object({
    /** Newest first; null while Stripe doesn't answer. */
    subscriptions: z
      .array(
        z.object({
          id: z.string(),
          /** Names of its products. */
          name: z.string(),
          /** Stripe's status word. */
          status: z.string(),
          /** Of one period, before discounts, for everything in it that isn't one of our plans. */
          amountCents: cents,
          currency: z.string(),
          /** `month`, or `3 months`. */
          interval: z.string(),
          createdAt: instant,
          endedAt: instant.nullable(),
          /** Whether one of our plans is billed together with it. */
          withPlan: z.boolean(),
          /** Its page at Stripe. */
          url: z.url(),
        }),
      )
      .nullable(),
    duplicates: z.array(
      z.object({
        subscriptionId: z.string(),
        plan: z.enum(planKeys).nullable(),
        /** `left_active`: it also bills other products, so nothing was canceled or refunded. */
        outcome: z.enum(['canceled', 'left_active']),
        refundedCents: cents,
        currency: z.string(),
        detectedAt: instant,
      }),
    ),
  }),
})
export type OtherSubscriptions = z.infer<typeof adminOtherSubscriptionsCall.output>
