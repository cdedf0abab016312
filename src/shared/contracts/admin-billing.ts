import { z } from 'zod'
import { planKeys } from '../domain/plans.ts'
import { defineCall } from './define-call.ts'

const instant = z.iso.datetime()
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
  test_now: instant.nullable(),
  synced_at: instant,
  sync_error: z.string().nullable(),
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
