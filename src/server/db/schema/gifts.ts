import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { instant } from './columns.ts'

const cents = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** Gifts that someone bought for a person whom they name. */
export const gift = pgTable(
  'gift',
  {
    id: uuid('id').primaryKey(),
    /** `unpaid`, `scheduled`, `sent`, `claimed`, `refunding` (until Stripe has confirmed it), `refunded` or `disputed`. */
    state: text('state').notNull(),
    /** Addresses are in lower case. Name and address are empty once the giver's account is deleted. */
    giverName: text('giver_name').notNull(),
    giverEmail: text('giver_email').notNull(),
    recipientName: text('recipient_name').notNull(),
    recipientEmail: text('recipient_email').notNull(),
    message: text('message').notNull(),
    /** The day in the publication's time zone, and its hour of delivery. */
    deliverOn: date('deliver_on', { mode: 'string' }).notNull(),
    deliverAt: instant('deliver_at').notNull(),
    /** The plan whose price was paid. */
    plan: text('plan').notNull(),
    /** The price until it is paid, then what was paid with its tax. */
    amountCents: cents('amount_cents'),
    /** The tax in it, which isn't revenue. */
    taxCents: cents('tax_cents').default(0),
    currency: text('currency').notNull(),
    months: smallint('months').notNull(),
    /** SHA-256 in hex of the token in the giver's link. */
    giverTokenHash: text('giver_token_hash').notNull().unique(),
    /** SHA-256 in hex of the token in the recipient's link; null until the email is sent. */
    claimTokenHash: text('claim_token_hash').unique(),
    /** Part of the recipient's token. Increases when the address changes, so that the earlier link ends. */
    addressVersion: smallint('address_version').notNull().default(0),
    stripeSessionId: text('stripe_session_id').unique(),
    stripePaymentIntentId: text('stripe_payment_intent_id').unique(),
    paidAt: instant('paid_at'),
    refundedCents: cents('refunded_cents').default(0),
    /** Why we refund it: `unclaimed`, `already_paying` or `staff`. Null for a refund made in Stripe's dashboard. */
    refundReason: text('refund_reason'),
    sentAt: instant('sent_at'),
    claimUntil: instant('claim_until'),
    /** When the time to claim it was extended, once. */
    extendedAt: instant('extended_at'),
    remindedAt: instant('reminded_at'),
    /** When the giver was told that the email came back. */
    bounceToldAt: instant('bounce_told_at'),
    claimedBy: uuid('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    claimedAt: instant('claimed_at'),
    /** `access`, or `credit` for someone who pays for a plan. */
    outcome: text('outcome'),
    accessUntil: instant('access_until'),
    /** The credit's transactions at Stripe: given, and taken back after a refund. */
    creditCustomerId: text('credit_customer_id'),
    creditId: text('credit_id'),
    creditReversalId: text('credit_reversal_id'),
    /** When a dispute ended the gift; null again once a won one has given it back. */
    disputedAt: instant('disputed_at'),
    /** The access that the last dispute took. */
    withdrawnSeconds: integer('withdrawn_seconds'),
    /** The newest won dispute, which can't take the gift again. */
    wonDisputeId: text('won_dispute_id'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('gift_months', sql`${t.months} between 1 and 24`),
    // Work of the job: deliveries, reminders, ends and refunds.
    index('gift_open_idx').on(t.state, t.deliverAt).where(sql`state in ('unpaid', 'scheduled', 'sent', 'refunding')`),
    index('gift_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
    index('gift_recipient_email_idx').on(t.recipientEmail),
    index('gift_giver_email_idx').on(t.giverEmail),
    index('gift_claimed_by_idx').on(t.claimedBy),
  ],
)

/** Links with which the publisher gives months of access to a number of people. */
export const giftLink = pgTable(
  'gift_link',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 in hex of the token in the link. */
    tokenHash: text('token_hash').notNull().unique(),
    /** For staff: who the link is for. */
    note: text('note').notNull(),
    months: smallint('months').notNull(),
    maxUses: integer('max_uses').notNull(),
    /** The first instant at which the link can't be used. */
    endsAt: instant('ends_at').notNull(),
    /** When staff retired it. */
    retiredAt: instant('retired_at'),
    createdAt: instant('created_at').notNull(),
  },
  () => [check('gift_link_months', sql`months between 1 and 24`)],
)

/** Uses of gift links. Rows outlive the account, so that deleting it doesn't allow another use. */
export const giftLinkUse = pgTable(
  'gift_link_use',
  {
    linkId: uuid('link_id')
      .notNull()
      .references(() => giftLink.id),
    /** Keyed hash of the normalized address. */
    mailboxHash: text('mailbox_hash').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    usedAt: instant('used_at').notNull(),
    accessUntil: instant('access_until').notNull(),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.mailboxHash] }), index('gift_link_use_user_id_idx').on(t.userId)],
)

/** New members who came by a member's link, and the free months that both got. Rows outlive the accounts. */
export const referral = pgTable(
  'referral',
  {
    id: uuid('id').primaryKey(),
    referrerId: uuid('referrer_id').references(() => users.id, { onDelete: 'set null' }),
    /** The new member. */
    refereeId: uuid('referee_id')
      .unique()
      .references(() => users.id, { onDelete: 'set null' }),
    /** `pending` until the first payment, then `rewarded` or `refused`; `withdrawn` after a refund or dispute. */
    state: text('state').notNull(),
    /** Why it was refused or withdrawn. */
    reason: text('reason'),
    /** Keyed hashes of the new member's mailbox and card, so that neither counts as new again. */
    mailboxHash: text('mailbox_hash').unique(),
    cardHash: text('card_hash').unique(),
    /** The first payment. */
    invoiceId: text('invoice_id'),
    /** The credits: amount, transaction at Stripe, and what was taken back. Null cents if there is none. */
    referrerCustomerId: text('referrer_customer_id'),
    referrerCents: bigint('referrer_cents', { mode: 'number' }),
    referrerCurrency: text('referrer_currency'),
    referrerCreditId: text('referrer_credit_id'),
    referrerTakenCents: bigint('referrer_taken_cents', { mode: 'number' }),
    refereeCustomerId: text('referee_customer_id'),
    refereeCents: bigint('referee_cents', { mode: 'number' }),
    refereeCurrency: text('referee_currency'),
    refereeCreditId: text('referee_credit_id'),
    refereeTakenCents: bigint('referee_taken_cents', { mode: 'number' }),
    createdAt: instant('created_at').notNull(),
    decidedAt: instant('decided_at'),
    withdrawnAt: instant('withdrawn_at'),
    /** When the payment's disputes were last read at Stripe. */
    disputesReadAt: instant('disputes_read_at'),
  },
  (t) => [
    index('referral_pending_idx').on(t.createdAt).where(sql`state = 'pending'`),
    index('referral_referrer_id_idx').on(t.referrerId, t.decidedAt),
    index('referral_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
    index('referral_invoice_id_idx').on(t.invoiceId),
  ],
)
