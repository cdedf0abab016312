import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { cancelReasonKeys, stayOfferKinds } from './billing.ts'

const count = z.number().int().nonnegative()
const cents = z.number().int()
/** One of the currencies in the revenue report; that of the plans on sale by default. */
const currency = z.string().max(3).nullish()
const month = z.string().regex(/^\d{4}-\d\d$/)

/** Customers by the month of their first payment, in UTC, and what they have paid since. */
const cohortSchema = z.object({
  month,
  /** Customers who started in the month. */
  started: count,
  /** Paying customers at the end of the month, the next month and so on, up to this month. */
  remaining: z.array(count),
  /** All payments so far, and how much of them was refunded. */
  paidCents: cents,
  refundedCents: cents,
})
export type Cohort = z.infer<typeof cohortSchema>

export const adminCohortsCall = defineAdminCall({
  name: 'admin-cohorts',
  roles: ['owner', 'viewer'],
  input: z.object({ currency }),
  output: z.object({
    currency: z.string(),
    /** The newest 24 months in which customers started, newest first. */
    cohorts: z.array(cohortSchema),
    /** All cohorts, older ones included. */
    total: z.object({ customers: count, remaining: count, paidCents: cents, refundedCents: cents }),
  }),
})
export type CohortReport = z.infer<typeof adminCohortsCall.output>

/** Paying customers by the trade in their answers. `trade` is null without an answer or after the account is deleted. */
export const adminRevenueByTradeCall = defineAdminCall({
  name: 'admin-revenue-by-trade',
  roles: ['owner', 'viewer'],
  input: z.object({ currency }),
  output: z.object({
    currency: z.string(),
    /** Computed for all customers at once, and kept for ten minutes. */
    at: z.iso.datetime(),
    trades: z.array(
      z.object({
        trade: z.string().nullable(),
        /** Who pay now. */
        customers: count,
        mrrCents: cents,
        /** All payments so far, less refunds. */
        netPaidCents: cents,
      }),
    ),
  }),
})
export type RevenueByTrade = z.infer<typeof adminRevenueByTradeCall.output>

const reason = z.enum(cancelReasonKeys).nullable()

/** Cancellations of the last twelve months by reason, and each of them, newest first. */
export const adminCancellationsCall = defineAdminCall({
  name: 'admin-cancellations',
  roles: ['owner'],
  input: z.object({ cursor: z.string().max(200).nullish(), limit: z.number().int().min(1).max(100).optional() }),
  output: z.object({
    /** Most frequent first; `reason` is null where none was given. */
    reasons: z.array(z.object({ reason, count })),
    items: z.array(
      z.object({
        subscriptionId: z.string(),
        plan: planKeySchema,
        canceledAt: z.iso.datetime(),
        reason,
        comment: z.string().nullable(),
        /** Null after the account is deleted. */
        member: z.object({ id: z.uuid(), email: z.string() }).nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})
export type CancellationsPage = z.infer<typeof adminCancellationsCall.output>

/** Confirmed withdrawals from purchases, newest first. */
export const adminWithdrawalsCall = defineAdminCall({
  name: 'admin-withdrawals',
  roles: ['owner'],
  input: z.object({ cursor: z.string().max(200).nullish(), limit: z.number().int().min(1).max(100).optional() }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.uuid(),
        withdrawnAt: z.iso.datetime(),
        /** As typed in the form. Empty after the account is deleted. */
        name: z.string(),
        email: z.string(),
        purchase: z.string(),
        currency: z.string(),
        /** What the receipt promised. */
        refundCents: z.number().int(),
        refundedCents: z.number().int(),
        /** `waiting` for Stripe, or for the bank if the payment is disputed; `lost` to the bank for good. */
        state: z.enum(['refunded', 'waiting', 'disputed', 'lost']),
        /** Credit that is left at Stripe, which the publisher can refund. */
        creditCents: z.number().int(),
        memberId: z.uuid().nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})
export type WithdrawalsPage = z.infer<typeof adminWithdrawalsCall.output>

export const stayReasonSchema = z.object({ reason: z.enum(cancelReasonKeys), kind: z.enum(stayOfferKinds) })

/** Counts the offers to members who wanted to cancel in the last twelve months, and how many were taken. */
export const adminRetentionOffersCall = defineAdminCall({
  name: 'admin-retention-offers',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({
    /** Most frequent first. */
    offers: z.array(stayReasonSchema.extend({ offered: count, taken: count })),
    /** The newest who took one. */
    stayed: z.array(
      stayReasonSchema.extend({
        takenAt: z.iso.datetime(),
        comment: z.string().nullable(),
        /** Null after the account is deleted. */
        member: z.object({ id: z.uuid(), email: z.string() }).nullable(),
      }),
    ),
  }),
})
export type RetentionReport = z.infer<typeof adminRetentionOffersCall.output>
