import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { IntervalUnit } from '#shared/domain/billing-interval.ts'
import type { OncePaid } from '#shared/domain/plan-terms.ts'
import { userId, users } from './auth.ts'
import { instant } from './columns.ts'

/** Maps users to Stripe customers, one to one. */
export const billingCustomer = pgTable('billing_customer', {
  userId: userId().primaryKey(),
  stripeCustomerId: text('stripe_customer_id').unique(),
  /** Part of the idempotency key for creating customers. Increases when a deleted customer must be replaced. */
  generation: integer('generation').notNull().default(0),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Our copy of Stripe's subscription state, one row per user. Written by `syncCustomer` and by team transfers. */
export const subscriptionState = pgTable(
  'subscription_state',
  {
    userId: userId().primaryKey(),
    stripeSubscriptionId: text('stripe_subscription_id'),
    status: text('status').notNull(),
    productId: text('product_id'),
    priceId: text('price_id'),
    /** The subscription's price per interval, which can differ from the plan's list price. Null for tiered prices. */
    priceCents: bigint('price_cents', { mode: 'number' }),
    priceCurrency: text('price_currency'),
    priceInterval: text('price_interval'),
    priceIntervalCount: smallint('price_interval_count'),
    /** Units of the price that the subscription bills. */
    quantity: integer('quantity').notNull().default(1),
    /** Seats from the renewal at `seatsChangeAt` on, once the owner removed some. Null without a change. */
    seatsAfterRenewal: integer('seats_after_renewal'),
    /** Seats paid until then. The quantity at Stripe is lowered some days before the renewal. */
    seatsPaid: integer('seats_paid'),
    seatsChangeAt: instant('seats_change_at'),
    startedAt: instant('started_at'),
    /** The end of the discount that ends first. Null without one that ends. */
    discountEndsAt: instant('discount_ends_at'),
    currentPeriodStart: instant('current_period_start'),
    currentPeriodEnd: instant('current_period_end'),
    cancelAt: instant('cancel_at'),
    /** While payments are paused: the end of the paid period, when access ends. */
    pauseStartsAt: instant('pause_starts_at'),
    /** When payments continue; null without a pause and for one without an end. */
    pauseEndsAt: instant('pause_ends_at'),
    endedAt: instant('ended_at'),
    /** When the oldest open invoice was created, or was due if it was sent; starts the grace period. */
    unpaidSince: instant('unpaid_since'),
    /** Of a plan that is paid by invoice: when the oldest open one is due. */
    invoiceDueAt: instant('invoice_due_at'),
    entitledUntil: instant('entitled_until'),
    /** `frozen_time` of the customer's test clock, if it has one. */
    testClockTime: instant('test_clock_time'),
    /** First instant at which the card on file is no longer valid. */
    cardExpiresAt: instant('card_expires_at'),
    /** Keyed hash of the card and the name on it, for members who pay twice under two addresses. */
    cardHash: text('card_hash'),
    trialUsed: boolean('trial_used').notNull().default(false),
    /** Drawn before reading Stripe, so that an older sync never overwrites a newer one. */
    syncSeq: bigint('sync_seq', { mode: 'number' }).notNull(),
    syncedAt: instant('synced_at').notNull(),
  },
  (t) => [
    uniqueIndex('subscription_state_stripe_subscription_id_key').on(t.stripeSubscriptionId),
    index('subscription_state_entitled_until_idx').on(t.entitledUntil),
    index('subscription_state_card_hash_idx').on(t.cardHash),
    index('subscription_state_pause_ends_at_idx').on(t.pauseEndsAt),
    index('subscription_state_seats_change_at_idx').on(t.seatsChangeAt).where(sql`seats_change_at is not null`),
    // Failed payments, newest first.
    index('subscription_state_unpaid_idx')
      .on(t.unpaidSince.desc().nullsLast())
      .where(sql`status in ('past_due', 'unpaid')`),
  ],
)

/**
 * Keyed hashes of email addresses that had a trial. Rows have no user and outlive the account, so deleting it doesn't
 * allow another trial.
 */
export const trialUsage = pgTable('trial_usage', {
  addressHash: text('address_hash').primaryKey(),
})

/** Keyed hashes of Stripe's fingerprints of cards used for a trial. Rows outlive the account. */
export const trialCardUsage = pgTable('trial_card_usage', {
  fingerprintHash: text('fingerprint_hash').primaryKey(),
  /** The trial that the card was used for. */
  subscriptionId: text('subscription_id').notNull().unique(),
})

/** Received Stripe events, without their payload. */
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
  (t) => [
    index('stripe_event_processed_at_idx').on(t.processedAt),
    // A customer's events, newest first.
    index('stripe_event_customer_id_created_idx').on(t.customerId, t.created.desc(), t.id.desc()),
  ],
)

/** A user's open checkout. The nonce is stored before the call to Stripe, so a retry after a crash is idempotent. */
export const pendingCheckout = pgTable('pending_checkout', {
  userId: userId().primaryKey(),
  priceId: text('price_id').notNull(),
  sessionId: text('session_id'),
  nonce: text('nonce').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/**
 * What a buyer was shown before checkout, and whether they agreed. Kept without the account: it has no name or address.
 * `id` is the nonce of a checkout, which the subscription at Stripe has as `consent_id`.
 */
export const purchaseConsent = pgTable('purchase_consent', {
  id: text('id').primaryKey(),
  userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
  terms: text('terms').notNull(),
  /** Version of the settings under Settings > Legal; 0 for the defaults. */
  version: integer('version').notNull(),
  priceCents: bigint('price_cents', { mode: 'number' }).notNull(),
  currency: text('currency').notNull(),
  interval: text('interval').notNull(),
  /** True if the buyer ticked the box. */
  agreed: boolean('agreed').notNull(),
  /** True if they asked for access before the days to withdraw are over. */
  waived: boolean('waived').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Declarations to withdraw from a purchase. Name and address are empty once the account is deleted. */
export const withdrawal = pgTable(
  'withdrawal',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    declaredAt: instant('declared_at').notNull(),
    confirmedAt: instant('confirmed_at'),
    /** `plan:` with the subscription at Stripe, or `gift:` with the gift. One withdrawal each. */
    contract: text('contract').unique(),
    contractName: text('contract_name'),
    /** What the receipt promised. */
    refundCents: bigint('refund_cents', { mode: 'number' }),
    currency: text('currency'),
    /** When the plan was ended and the money sent. */
    settledAt: instant('settled_at'),
    /** For a plan: what of the promise was refunded, which a lost dispute makes less. */
    refundedCents: bigint('refunded_cents', { mode: 'number' }),
    /** For a plan: the customer's credit that is left at Stripe. It isn't refunded. */
    creditCents: bigint('credit_cents', { mode: 'number' }),
  },
  (t) => [index('withdrawal_email_idx').on(t.email, t.declaredAt)],
)

/** Enqueued billing emails. Each reason is sent once per user. */
export const billingNotice = pgTable(
  'billing_notice',
  {
    userId: userId(),
    /** The event and its subscription, such as `ended:sub_1`. */
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.reason] })],
)

/** Duplicate plans found by a sync. Written in the transaction that enqueues the emails, so each is reported once. */
export const duplicateSubscription = pgTable(
  'duplicate_subscription',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    userId: userId(),
    /** `canceled` and refunded, or `left_active` because it also bills products that are not ours. */
    outcome: text('outcome').notNull(),
    productId: text('product_id'),
    refundedCents: bigint('refunded_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    detectedAt: instant('detected_at').notNull(),
  },
  (t) => [index('duplicate_subscription_user_id_idx').on(t.userId)],
)

/** Access without a plan until a date, or for good: granted by an admin, a gift, or paid once. Revoking deletes the row; the staff log keeps both events. */
export const complimentaryAccess = pgTable('complimentary_access', {
  userId: userId().primaryKey(),
  until: instant('until').notNull(),
  /** `staff`, `gift` (bought by someone), `gift_link` (made by the publisher) or `purchase` (paid once). */
  source: text('source').notNull().default('staff'),
  /** The admin's reason, or whose gift it is. */
  note: text('note'),
  /** Display name of the admin, or "Gift". */
  grantedBy: text('granted_by').notNull(),
  grantedById: uuid('granted_by_id'),
  grantedAt: instant('granted_at').notNull(),
})

const cents = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** Customers with revenue records. These tables contain only Stripe ids and no user, and outlive the account. */
export const revenueCustomer = pgTable('revenue_customer', {
  customerId: text('customer_id').primaryKey(),
  /** Number of the last sync, so that an older sync never overwrites a newer one. */
  syncSeq: bigint('sync_seq', { mode: 'number' }).notNull(),
  /** Hash of the subscriptions. Invoices are read again only if it changes or an event arrives. */
  stateHash: text('state_hash').notNull(),
  /** When a sync first saw a price that no invoice shows yet. */
  unbilledSince: instant('unbilled_since'),
})

/** Changes of customers' recurring revenue, computed from Stripe's subscriptions and invoices. */
export const revenueChange = pgTable(
  'revenue_change',
  {
    customerId: text('customer_id')
      .notNull()
      .references(() => revenueCustomer.customerId),
    at: instant('at').notNull(),
    /** A plan switch has two rows, one for each plan. */
    plan: text('plan').notNull(),
    kind: text('kind').notNull(),
    /** Signed yearly amount without tax, so that yearly prices stay whole cents. */
    yearlyCents: cents('yearly_cents'),
    currency: text('currency').notNull().default('usd'),
    /** Customers that the plan gained (1) or lost (-1). */
    customers: smallint('customers').notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.at, t.plan] })],
)

/** A free month that a renewal email offered. Taken, it becomes a credit at Stripe. */
export const renewalOffer = pgTable(
  'renewal_offer',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    /** Until then it can be taken. */
    renewsAt: instant('renews_at').notNull(),
    cents: integer('cents').notNull(),
    currency: text('currency').notNull(),
    createdAt: instant('created_at').notNull(),
    takenAt: instant('taken_at'),
    customerId: text('customer_id'),
    /** Null until Stripe has it. */
    creditId: text('credit_id'),
  },
  (t) => [uniqueIndex('renewal_offer_user_id_renews_at_key').on(t.userId, t.renewsAt)],
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
    /** The tax in these amounts, which isn't revenue. */
    dueTaxCents: cents('due_tax_cents').default(0),
    paidTaxCents: cents('paid_tax_cents').default(0),
    refundedTaxCents: cents('refunded_tax_cents').default(0),
    /** Collection attempts. */
    attempts: integer('attempts').notNull(),
    paidAt: instant('paid_at'),
    /** When the first attempt failed. */
    failedAt: instant('failed_at'),
    /** Promotion codes of the subscription, each with what it took off this invoice in cents. */
    discounts: jsonb('discounts')
      .$type<[promotionCodeId: string, cents: number][]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
  },
  (t) => [index('revenue_invoice_customer_id_idx').on(t.customerId)],
)

/**
 * Totals by month (first day, UTC) and plan, updated together with the rows they sum, so that the dashboard reads few
 * rows whatever the number of customers. For changes, `cents` is a yearly amount. US dollars only, as in versions before
 * there were other currencies: those have `revenueCurrencyMonth`.
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

/**
 * Customers by the month in which they started (`cohort`, its first day) and another month: how many paying customers
 * that month gained or lost, and their payments. Sums give retention and lifetime value. Updated together with the
 * records. US dollars only.
 */
export const revenueCohortTotal = pgTable(
  'revenue_cohort_total',
  {
    cohort: date('cohort', { mode: 'string' }).notNull(),
    month: date('month', { mode: 'string' }).notNull(),
    /** Customers who started to pay; only in the cohort's own month. */
    started: bigint('started', { mode: 'number' }).notNull().default(0),
    /** Paying customers gained, less those lost. */
    customers: bigint('customers', { mode: 'number' }).notNull().default(0),
    paidCents: cents('paid_cents').default(0),
    refundedCents: cents('refunded_cents').default(0),
  },
  (t) => [primaryKey({ columns: [t.cohort, t.month] })],
)

/** Revenue of a promotion code, for all subscriptions that redeemed it. Updated together with the invoices. US dollars only. */
export const revenueOfferTotal = pgTable('revenue_offer_total', {
  promotionCodeId: text('promotion_code_id').primaryKey(),
  subscriptions: bigint('subscriptions', { mode: 'number' }).notNull().default(0),
  customers: bigint('customers', { mode: 'number' }).notNull().default(0),
  paidCents: cents('paid_cents').default(0),
  refundedCents: cents('refunded_cents').default(0),
  discountCents: cents('discount_cents').default(0),
})

/** `revenueMonthlyTotal` for each other currency. */
export const revenueCurrencyMonth = pgTable(
  'revenue_currency_month',
  {
    currency: text('currency').notNull(),
    month: date('month', { mode: 'string' }).notNull(),
    plan: text('plan').notNull(),
    name: text('name').notNull(),
    cents: cents('cents').default(0),
    count: bigint('count', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.currency, t.month, t.plan, t.name] })],
)

/** `revenueCohortTotal` for each other currency. */
export const revenueCurrencyCohort = pgTable(
  'revenue_currency_cohort',
  {
    currency: text('currency').notNull(),
    cohort: date('cohort', { mode: 'string' }).notNull(),
    month: date('month', { mode: 'string' }).notNull(),
    started: bigint('started', { mode: 'number' }).notNull().default(0),
    customers: bigint('customers', { mode: 'number' }).notNull().default(0),
    paidCents: cents('paid_cents').default(0),
    refundedCents: cents('refunded_cents').default(0),
  },
  (t) => [primaryKey({ columns: [t.currency, t.cohort, t.month] })],
)

/** `revenueOfferTotal` for each other currency. */
export const revenueCurrencyOffer = pgTable(
  'revenue_currency_offer',
  {
    currency: text('currency').notNull(),
    promotionCodeId: text('promotion_code_id').notNull(),
    subscriptions: bigint('subscriptions', { mode: 'number' }).notNull().default(0),
    customers: bigint('customers', { mode: 'number' }).notNull().default(0),
    paidCents: cents('paid_cents').default(0),
    refundedCents: cents('refunded_cents').default(0),
    discountCents: cents('discount_cents').default(0),
  },
  (t) => [primaryKey({ columns: [t.promotionCodeId, t.currency] })],
)

/** Discounts for new plans. Each is a coupon and a promotion code at Stripe, which decides whether it can be used. */
export const offer = pgTable('offer', {
  id: uuid('id').primaryKey(),
  /** In upper case. Never used again for another offer, since its link may still be around. */
  code: text('code').notNull().unique(),
  /** Either this or `amountOffCents`. */
  percentOff: integer('percent_off'),
  amountOffCents: bigint('amount_off_cents', { mode: 'number' }),
  /** Currency of the amount off; null for a percentage. */
  currency: text('currency'),
  /** Stripe's `once`, `repeating` or `forever`. */
  duration: text('duration').notNull(),
  /** For `repeating`. */
  months: integer('months'),
  plans: text('plans').array().notNull(),
  maxRedemptions: integer('max_redemptions'),
  /** The first instant at which the offer can't be redeemed. */
  endsAt: instant('ends_at'),
  newCustomersOnly: boolean('new_customers_only').notNull(),
  /** Null until it is created at Stripe. */
  stripePromotionCodeId: text('stripe_promotion_code_id').unique(),
  /** Stripe's count at the last comparison. */
  timesRedeemed: integer('times_redeemed').notNull().default(0),
  /** When it was ended, here or in Stripe's dashboard. */
  endedAt: instant('ended_at'),
  /** True if staff ended it here. */
  endedHere: boolean('ended_here').notNull().default(false),
  createdAt: instant('created_at').notNull(),
})

/** Canceled subscriptions to our plans and the reason given. A cancellation that is undone is removed. */
export const planCancellation = pgTable(
  'plan_cancellation',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    customerId: text('customer_id').notNull(),
    plan: text('plan').notNull(),
    canceledAt: instant('canceled_at').notNull(),
    /** Stripe's `feedback`; null if no reason was given. */
    reason: text('reason'),
    /** Removed with the account. */
    comment: text('comment'),
  },
  (t) => [
    index('plan_cancellation_canceled_at_idx').on(t.canceledAt.desc(), t.subscriptionId.desc()),
    index('plan_cancellation_customer_id_idx').on(t.customerId),
  ],
)

/**
 * An offer to a member who wanted to cancel, and whether they took it. `subscriptionId` and the reason stay
 * when the account is deleted, as cancellations do.
 */
export const retentionOffer = pgTable(
  'retention_offer',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    subscriptionId: text('subscription_id').notNull(),
    /** Stripe's `feedback`. */
    reason: text('reason').notNull(),
    /** `pause`, `yearly`, `cheaper_plan` or `discount`. */
    kind: text('kind').notNull(),
    /** The offered plan, for `yearly` and `cheaper_plan`. */
    plan: text('plan'),
    /** The member's own words; removed with the account. */
    comment: text('comment'),
    offeredAt: instant('offered_at').notNull(),
    takenAt: instant('taken_at'),
  },
  (t) => [
    index('retention_offer_user_id_idx').on(t.userId, t.offeredAt.desc()),
    index('retention_offer_offered_at_idx').on(t.offeredAt),
  ],
)

/**
 * Plans that are sold. A plan is one product at Stripe, and its price is the one that new members pay: members keep the
 * price they started with. Plans are never deleted.
 */
export const plan = pgTable(
  'plan',
  {
    key: text('key').primaryKey(),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    note: text('note').notNull().default(''),
    features: text('features').array().notNull().default(sql`'{}'::text[]`),
    /** In the currency's smallest unit. */
    priceCents: bigint('price_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    /** `day`, `week`, `month` or `year`. */
    interval: text('interval').$type<IntervalUnit>().notNull(),
    /** Intervals between payments. */
    intervalCount: smallint('interval_count').notNull().default(1),
    /** The least that buyers can pay, who choose the amount. Null for a fixed price. */
    floorCents: bigint('floor_cents', { mode: 'number' }),
    /** `period` or `forever`: paid once. Null for a plan that renews. */
    once: text('once').$type<OncePaid>(),
    /** Including the owner; 10,000 for any number. The minimum if the plan is priced per seat. */
    seats: smallint('seats').notNull(),
    /** True if the price is for one seat, and the subscription's quantity is the number of seats. */
    perSeat: boolean('per_seat').notNull().default(false),
    /** Null for the server's TRIAL_DAYS. */
    trialDays: smallint('trial_days'),
    /** What the trial costs, once. Null for a free one. */
    trialPriceCents: bigint('trial_price_cents', { mode: 'number' }),
    /** True if it is for supporters, who have a mark at their answers while they have it. */
    forSupporters: boolean('for_supporters').notNull().default(false),
    stripeProductId: text('stripe_product_id').unique(),
    stripePriceId: text('stripe_price_id').unique(),
    retiredAt: instant('retired_at'),
    /** Incremented by every save, which names the version it is based on. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedBy: text('updated_by'),
    updatedById: uuid('updated_by_id'),
  },
  (t) => [
    check('plan_price', sql`${t.priceCents} > 0`),
    check('plan_interval', sql`${t.interval} in ('day', 'week', 'month', 'year') and ${t.intervalCount} > 0`),
    check('plan_once', sql`${t.once} is null or (${t.once} in ('period', 'forever') and ${t.seats} = 1)`),
    check('plan_seats', sql`${t.seats} between 1 and 500 or (${t.seats} = 10000 and not ${t.perSeat})`),
  ],
)
