import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { discountSchema, pauseMonthsSchema, previewSwitchCall } from './billing.ts'

/** What the pages of a member show about the account. */
export const memberQueries = [
  ...['admin-member', 'admin-user', 'admin-user-support'],
  ...['admin-members', 'admin-member-timeline', 'admin-audit-log'],
]

const instant = z.iso.datetime()
const cents = z.number().int()

/** Owners alone see or move money. */
const roles = ['owner'] as const

export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const

const memberInvoiceSchema = z.object({
  id: z.string(),
  /** Null for a draft. */
  number: z.string().nullable(),
  createdAt: instant,
  status: z.enum(invoiceStatuses),
  /** Of one that was sent to be paid by a date. */
  dueAt: instant.nullable(),
  totalCents: cents,
  paidCents: cents,
  refundedCents: cents,
  /** Sum that can still be refunded. */
  refundableCents: cents,
  currency: z.string(),
  /** The invoice's page at Stripe. It opens without a sign-in. */
  url: z.url().nullable(),
  dashboardUrl: z.url(),
})
export type MemberInvoice = z.infer<typeof memberInvoiceSchema>

const moneyTotal = z.object({ currency: z.string(), paidCents: cents, refundedCents: cents })

/** A member's invoices, payments and credit. */
export const adminMemberBillingCall = defineAdminCall({
  name: 'admin-member-billing',
  roles,
  input: z.object({ userId: z.uuid() }),
  output: z.object({
    /** Null for a member who never started a checkout. */
    customerUrl: z.url().nullable(),
    /** Sums of all invoices for our plans, from the revenue records. */
    totals: z.array(moneyTotal),
    /** Read from Stripe; null while Stripe doesn't answer or without a customer. */
    stripe: z
      .object({
        /** Newest first. */
        invoices: z.array(memberInvoiceSchema),
        /** True if Stripe has older ones. */
        hasMore: z.boolean(),
        /** Discounts of active subscriptions. */
        discounts: z.array(discountSchema),
        /** Positive: credit for future invoices. Negative: owed with the next one. */
        creditCents: cents,
        currency: z.string(),
        /** Newest change of the balance, which the next credit has to name. */
        lastTransactionId: z.string().nullable(),
      })
      .nullable(),
  }),
})
export type MemberBilling = z.infer<typeof adminMemberBillingCall.output>

const request = {
  userId: z.uuid(),
  /** One per dialog, so that a repeated request refunds or credits once. */
  requestId: z.uuid(),
}

/**
 * Refunds a paid invoice in whole or in part. Fails with `refund_changed` if the invoice was refunded
 * since `refundedCents`, and with `refund_refused` if Stripe refuses.
 */
export const adminRefundInvoiceCall = defineAdminCall({
  name: 'admin-refund-invoice',
  stepUp: true,
  roles,
  invalidates: ['admin-member-billing', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({
    ...request,
    invoiceId: z.string().min(1).max(255),
    amountCents: cents.positive(),
    /** The refunds that the staff member saw. */
    refundedCents: cents.nonnegative(),
    reason: z.string().trim().max(300).nullish(),
  }),
  output: z.object({ refundedCents: cents, currency: z.string() }),
})

export const maxCreditCents = 1_000_000

/** Credits the member's future invoices. Fails with `balance_changed` since `lastTransactionId`. */
export const adminCreditMemberCall = defineAdminCall({
  name: 'admin-credit-member',
  stepUp: true,
  roles,
  invalidates: ['admin-member-billing', 'admin-member-timeline', 'admin-audit-log'],
  input: z.object({
    ...request,
    amountCents: cents.positive().max(maxCreditCents),
    lastTransactionId: z.string().max(255).nullable(),
    /** Stripe shows it on the next invoice. */
    reason: z.string().trim().min(1, 'Enter a reason').max(300),
  }),
  output: z.object({ creditCents: cents, currency: z.string() }),
})

/** Previews the cost of switching a member's plan. Changes nothing. */
export const adminPreviewMemberSwitchCall = defineAdminCall({
  name: 'admin-preview-member-switch',
  roles,
  input: z.object({ userId: z.uuid(), plan: planKeySchema }),
  output: previewSwitchCall.output,
})

/**
 * Cancels a member's plan at the end of the paid period (at once if a renewal is unpaid), undoes that, pauses it, or switches the plan and
 * charges the previewed amount.
 */
export const adminChangeMemberPlanCall = defineAdminCall({
  name: 'admin-change-member-plan',
  stepUp: true,
  roles,
  invalidates: [...memberQueries, 'admin-entitlement', 'admin-member-billing'],
  input: z.object({
    ...request,
    change: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('cancel'), note: z.string().trim().max(300).nullish() }),
      z.object({ kind: z.literal('keep') }),
      z.object({ kind: z.literal('pause'), months: pauseMonthsSchema }),
      z.object({
        kind: z.literal('switch'),
        plan: planKeySchema,
        prorationDate: z.number().int().positive(),
        dueTodayCents: cents.nonnegative(),
        seats: z.number().int().nullish(),
      }),
    ]),
  }),
  output: z.object({}),
})
