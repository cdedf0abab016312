import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
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
    testNow: instant('test_now'),
    /** First instant at which the card on file is no longer valid. */
    cardExpiresAt: instant('card_expires_at'),
    trialUsed: boolean('trial_used').notNull().default(false),
    /** Drawn before Stripe is read: an older read never overwrites a newer one. */
    syncSeq: bigint('sync_seq', { mode: 'number' }).notNull(),
    syncedAt: instant('synced_at').notNull(),
    syncError: text('sync_error'),
  },
  (t) => [
    uniqueIndex('subscription_state_stripe_subscription_id_key').on(t.stripeSubscriptionId),
    index('subscription_state_entitled_until_idx').on(t.entitledUntil),
  ],
)

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

/** Access that an admin gives away until a date. Taken back, the row goes; what was done stands in the audit log. */
export const complimentaryAccess = pgTable('complimentary_access', {
  userId: owner(),
  until: instant('until').notNull(),
  /** For the publisher: why. */
  note: text('note'),
  /** Address of the admin. */
  grantedBy: text('granted_by').notNull(),
  grantedAt: instant('granted_at').notNull(),
})
