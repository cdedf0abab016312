import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const instant = z.iso.datetime()
const cents = z.number().int()
const userInput = z.object({ userId: z.uuid() })
const changesAccess = [
  'admin-entitlement',
  'admin-member',
  'admin-member-timeline',
  'admin-audit-log',
  'admin-other-subscriptions',
]

/** The stored subscription row, with Stripe's status names. */
const subscriptionFactsSchema = z.object({
  status: z.string(),
  plan: planKeySchema.nullable(),
  /** The price of this subscription, such as "$10 per month". Only owners get it. */
  price: z.string().nullable(),
  productId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  currentPeriodStart: instant.nullable(),
  currentPeriodEnd: instant.nullable(),
  cancelAt: instant.nullable(),
  pauseStartsAt: instant.nullable(),
  pauseEndsAt: instant.nullable(),
  endedAt: instant.nullable(),
  unpaidSince: instant.nullable(),
  entitledUntil: instant.nullable(),
  trialUsed: z.boolean(),
  /** Simulated time of a customer on a Stripe test clock. */
  testClockTime: instant.nullable(),
  syncedAt: instant,
})

/** Why a user has access or not, with everything that the answer is computed from. */
export const adminEntitlementCall = defineAdminCall({
  name: 'admin-entitlement',
  roles: ['owner', 'support'],
  input: userInput,
  output: z.object({
    entitled: z.boolean(),
    /** The source of the access. */
    by: z.enum(['plan', 'team', 'complimentary']).nullable(),
    until: instant.nullable(),
    /** The decision explained, for display. */
    sentences: z.array(z.string()),
    customerId: z.string().nullable(),
    subscription: subscriptionFactsSchema.nullable(),
    /** The owner of the team that the user has a seat in, and the owner's subscription. */
    team: z.object({ ownerId: z.uuid(), ownerEmail: z.string(), subscription: subscriptionFactsSchema }).nullable(),
    complimentary: z
      .object({ until: instant, note: z.string().nullable(), grantedBy: z.string(), grantedAt: instant })
      .nullable(),
    /** Another account whose plan is charged to the same card with the same name. */
    sameCard: z.object({ userId: z.uuid(), email: z.string() }).nullable(),
    /** Webhook events for the customer, newest first. */
    events: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        createdAt: instant,
        receivedAt: instant,
        processedAt: instant.nullable(),
        /** Failed attempts to process the event. */
        attempts: z.number().int(),
        error: z.string().nullable(),
      }),
    ),
  }),
})
export type EntitlementReport = z.infer<typeof adminEntitlementCall.output>

/** Syncs the customer with Stripe and returns what changed. */
export const adminSyncCustomerCall = defineAdminCall({
  name: 'admin-sync-customer',
  roles: ['owner', 'support'],
  invalidates: changesAccess,
  input: userInput,
  output: z.object({
    changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  }),
})

/** Gives a user without a plan access until a date. Granting again replaces the date. */
export const adminGrantAccessCall = defineAdminCall({
  name: 'admin-grant-access',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: changesAccess,
  input: userInput.extend({ until: instant, note: z.string().trim().max(300).nullish() }),
  output: z.object({ until: instant }),
})

export const adminRevokeAccessCall = defineAdminCall({
  name: 'admin-revoke-access',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: changesAccess,
  input: userInput,
  output: z.object({ revoked: z.boolean() }),
})

const count = z.number().int()
/** A number of customers, and what they pay per month. */
const movementSchema = z.object({ count, cents })

/** One calendar month in UTC. Amounts are cents per month, each rounded separately from exact sums. */
const revenueSchema = z.object({
  /** Monthly recurring revenue at the month's end. */
  mrrCents: cents,
  customersAtStart: count,
  customers: count,
  new: movementSchema,
  /** Former customers who pay again. */
  returned: movementSchema,
  lost: movementSchema,
  /** Increases and decreases from customers who stayed. */
  expansionCents: cents,
  contractionCents: cents,
  /** Customers of this plan who changed to it (or, negative, from it). */
  moved: count,
  /** Lost customers divided by customers at the start; null when there were none. */
  churn: z.number().nullable(),
  /** Invoices whose first failed payment attempt was in this month, by their outcome since. */
  failed: movementSchema,
  failedOpen: movementSchema,
  failedRecovered: movementSchema,
  failedLost: movementSchema,
  /** Payments in this month, and how much of them has been refunded since. */
  paidCents: cents,
  refundedCents: cents,
})
export type Revenue = z.infer<typeof revenueSchema>

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

/** Twelve months from our revenue records, newest last. Currencies are never added up. */
export const adminRevenueCall = defineAdminCall({
  name: 'admin-revenue',
  roles: ['owner', 'viewer'],
  input: z.object({ until: month.nullish(), currency: z.string().max(3).nullish() }),
  output: z.object({
    currency: z.string(),
    /** The currency of the plans on sale, and others that someone has paid in. */
    currencies: z.array(z.string()),
    /** First month with a payment or a change; null when there is none yet. */
    oldest: month.nullable(),
    /** The current month, or a later one that a customer on a test clock has reached. */
    newest: month,
    thisMonth: month,
    months: z.array(
      z.object({
        month,
        total: revenueSchema,
        plans: z.array(z.object({ plan: planKeySchema, revenue: revenueSchema })),
      }),
    ),
  }),
})
export type RevenueReport = z.infer<typeof adminRevenueCall.output>

/** Subscriptions of the Stripe customer to other products, and duplicate plans that a sync found. Read-only. */
export const adminOtherSubscriptionsCall = defineAdminCall({
  name: 'admin-other-subscriptions',
  roles: ['owner'],
  input: z.object({ userId: z.uuid() }),
  output: z.object({
    /** Newest first; null while Stripe doesn't answer. */
    subscriptions: z
      .array(
        z.object({
          id: z.string(),
          /** Names of its products. */
          name: z.string(),
          /** Status at Stripe. */
          status: z.string(),
          /** Price of one period before discounts, without our plans. */
          amountCents: cents,
          currency: z.string(),
          /** `month`, or `3 months`. */
          interval: z.string(),
          createdAt: instant,
          endedAt: instant.nullable(),
          /** True if the subscription also bills one of our plans. */
          withPlan: z.boolean(),
          /** The subscription's page in the Stripe Dashboard. */
          url: z.url(),
        }),
      )
      .nullable(),
    duplicates: z.array(
      z.object({
        subscriptionId: z.string(),
        plan: planKeySchema.nullable(),
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
