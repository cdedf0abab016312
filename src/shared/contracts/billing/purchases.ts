import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { soldKinds } from '#shared/domain/sold-items.ts'
import { planKeySchema } from './plan-key.ts'

const instant = z.iso.datetime()
const cents = z.number().int()

/**
 * Opens Stripe's checkout for a plan that is paid once. `amountCents` is the price that the page shows, or what the buyer chose
 * where they can. `agreed` as in
 * `create-checkout`. Fails with `plan_unavailable`, `consent_required`, and with `subscription_not_changeable` for someone
 * who has access for good or a plan that renews.
 */
export const buyAccessCall = defineCall({
  name: 'buy-access',
  audience: 'user',
  input: z.object({
    plan: planKeySchema,
    amountCents: cents.positive(),
    agreed: z.string().max(2000).nullish(),
  }),
  output: z.object({ url: z.url() }),
})

const purchaseSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null for access to everything. */
  item: z.object({ kind: z.enum(soldKinds), id: z.string() }).nullable(),
  state: z.enum(['paid', 'refunding', 'refunded', 'disputed']),
  amountCents: cents,
  refundedCents: cents,
  currency: z.string(),
  paidAt: instant,
  /** Null for access for good, and for a payment that gave none. */
  accessUntil: instant.nullable(),
  isForGood: z.boolean(),
})
export type Purchase = z.infer<typeof purchaseSchema>

/** What the caller paid for once, newest first. Looks at Stripe for checkouts that were just paid. */
export const ownPurchasesCall = defineCall({
  name: 'own-purchases',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ items: z.array(purchaseSchema) }),
})

export const adminPurchasesCall = defineAdminCall({
  name: 'admin-purchases',
  roles: ['owner'],
  input: z.object({ userId: z.uuid() }),
  output: z.object({ items: z.array(purchaseSchema) }),
})

/** Refunds all that is left, and ends the access that was paid for. A second click does nothing. */
export const adminRefundPurchaseCall = defineAdminCall({
  name: 'admin-refund-purchase',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-purchases', 'admin-entitlement', 'admin-member', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
