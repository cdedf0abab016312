import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })
const owner = () =>
  uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' })

/** Which Stripe customer belongs to which user: one to one. */
export const billingCustomer = pgTable('billing_customer', {
  userId: owner(),
  stripeCustomerId: text('stripe_customer_id').unique(),
  /** Part of the idempotency key: goes up when a customer deleted at Stripe must be replaced. */
  generation: integer('generation').notNull().default(0),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Our copy of Stripe's truth, one row a user, written by `syncCustomer` alone. */
export const subscriptionState = pgTable(
  'subscription_state',
  {
    userId: owner(),
    stripeSubscriptionId: text('stripe_subscription_id'),
    status: text('status').notNull(),
    productId: text('product_id'),
    priceId: text('price_id'),
    currentPeriodStart: instant('current_period_start'),
    currentPeriodEnd: instant('current_period_end'),
    cancelAt: instant('cancel_at'),
    endedAt: instant('ended_at'),
    /** When the oldest open invoice was created: the grace period counts from here. */
    unpaidSince: instant('unpaid_since'),
    entitledUntil: instant('entitled_until'),
    /** `frozen_time` of the customer's test clock, if it has one. */
    testClockTime: instant('test_clock_time'),
    /** First instant at which the card on file is no longer valid. */
    cardExpiresAt: instant('card_expires_at'),
    trialUsed: boolean('trial_used').notNull().default(false),
    /** Drawn before Stripe is read: an older read never overwrites a newer one. */
    syncSeq: bigint('sync_seq', { mode: 'number' }).notNull(),
    syncedAt: instant('synced_at').notNull(),
  },
  (t) => [
    uniqueIndex('subscription_state_stripe_subscription_id_key').on(t.stripeSubscriptionId),
    index('subscription_state_entitled_until_idx').on(t.entitledUntil),
  ],
)

/**
 * Addresses of whoever has had a trial, as hashes under the server's key, and nothing else: a trial is had once, by
 * whoever deletes their account and comes back as well. Such a row names no user and outlives the account.
 */
export const trialUsage = pgTable('trial_usage', {
  addressHash: text('address_hash').primaryKey(),
})

/** Cards that a trial began with, as hashes of Stripe's fingerprints: the same card gets no second one. Outlives accounts. */
export const trialCardUsage = pgTable('trial_card_usage', {
  fingerprintHash: text('fingerprint_hash').primaryKey(),
  /** The trial that the card began. */
  subscriptionId: text('subscription_id').notNull().unique(),
})

/** Ledger of webhook events: each id once. */
export const stripeEvent = pgTable(
  'stripe_event',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    created: instant('created').notNull(),
    customerId: text('customer_id'),
    receivedAt: instant('received_at').notNull().defaultNow(),
    processedAt: instant('processed_at'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
  },
  (t) => [index('stripe_event_processed_at_idx').on(t.processedAt)],
)

/** The checkout a user has begun: the nonce is stored before Stripe is called, so a crash repeats the same call. */
export const pendingCheckout = pgTable('pending_checkout', {
  userId: owner(),
  priceId: text('price_id').notNull(),
  sessionId: text('session_id'),
  nonce: text('nonce').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** A mail about a subscription that was asked for: each reason is written about once, whoever notices it again. */
export const billingNotice = pgTable(
  'billing_notice',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What happened to which subscription when, such as `ended:sub_1`. */
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.reason] })],
)

/**
 * Second plans that a sync found beside another one, each once. The row is written with the emails about it, so nobody
 * hears of a duplicate twice, whatever is retried.
 */
export const duplicateSubscription = pgTable(
  'duplicate_subscription',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `canceled` and refunded, or `left_active` because it also bills products that are not ours. */
    outcome: text('outcome').notNull(),
    productId: text('product_id'),
    refundedCents: bigint('refunded_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    detectedAt: instant('detected_at').notNull(),
  },
  (t) => [index('duplicate_subscription_user_id_idx').on(t.userId)],
)

/** Access that an admin gives away until a date. Taken back, the row goes; what was done stands in the audit log. */
export const complimentaryAccess = pgTable('complimentary_access', {
  userId: owner(),
  until: instant('until').notNull(),
  /** For the publisher: why. */
  note: text('note'),
  /** Display name of the admin. */
  grantedBy: text('granted_by').notNull(),
  grantedById: uuid('granted_by_id'),
  grantedAt: instant('granted_at').notNull(),
})

const cents = (name: string) => bigint(name, { mode: 'number' }).notNull()

/**
 * Customers whose payments are in the books. The books name no user and outlive the account: what was earned stays
 * earned. After a deletion nothing here says who it was. All ids are Stripe's.
 */
export const revenueCustomer = pgTable('revenue_customer', {
  customerId: text('customer_id').primaryKey(),
  /** The look at Stripe that the books say: an older one never overwrites a newer one. */
  syncSeq: bigint('sync_seq', { mode: 'number' }).notNull(),
  /** What the subscriptions looked like then: while they look the same and no event came, invoices are not read again. */
  stateHash: text('state_hash').notNull(),
  /** First sight of a price that no invoice shows yet. */
  unbilledSince: instant('unbilled_since'),
})

/**
 * Every change of what a customer pays regularly, at Stripe's instant: worked out from the subscriptions and invoices
 * that Stripe keeps, not from what we happened to see.
 */
export const revenueChange = pgTable(
  'revenue_change',
  {
    customerId: text('customer_id')
      .notNull()
      .references(() => revenueCustomer.customerId),
    at: instant('at').notNull(),
    /** A switch has a line for the plan that is left and one for the new plan. */
    plan: text('plan').notNull(),
    kind: text('kind').notNull(),
    /** A year's worth, so that a yearly price stays a whole number of cents. Signed. */
    yearlyCents: cents('yearly_cents'),
    /** Customers that the plan gained (1) or lost (-1). */
    customers: smallint('customers').notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.at, t.plan] })],
)

export const revenueInvoice = pgTable(
  'revenue_invoice',
  {
    id: text('id').primaryKey(),
    customerId: text('customer_id')
      .notNull()
      .references(() => revenueCustomer.customerId),
    subscriptionId: text('subscription_id'),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    createdAt: instant('created_at').notNull(),
    periodStart: instant('period_start').notNull(),
    periodEnd: instant('period_end').notNull(),
    currency: text('currency').notNull(),
    dueCents: cents('due_cents'),
    paidCents: cents('paid_cents'),
    refundedCents: cents('refunded_cents'),
    /** Tries to collect it. */
    attempts: integer('attempts').notNull(),
    paidAt: instant('paid_at'),
    /** First try that failed. */
    failedAt: instant('failed_at'),
  },
  (t) => [index('revenue_invoice_customer_id_idx').on(t.customerId)],
)

/**
 * Sums by month (its first day, UTC) and plan, kept in the transaction that changes the lines they are sums of, so that
 * the dashboard costs the same with a million customers. Of changes the cents are a year's worth.
 */
export const revenueMonthlyTotal = pgTable(
  'revenue_monthly_total',
  {
    month: date('month', { mode: 'string' }).notNull(),
    plan: text('plan').notNull(),
    name: text('name').notNull(),
    cents: cents('cents').default(0),
    count: bigint('count', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.month, t.plan, t.name] })],
)
