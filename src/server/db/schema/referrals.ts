import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth-users.ts'
import { instant } from './columns.ts'

const cents = (name: string) => bigint(name, { mode: 'number' })

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
    referrerCents: cents('referrer_cents'),
    referrerCurrency: text('referrer_currency'),
    referrerCreditId: text('referrer_credit_id'),
    referrerTakenCents: cents('referrer_taken_cents'),
    refereeCustomerId: text('referee_customer_id'),
    refereeCents: cents('referee_cents'),
    refereeCurrency: text('referee_currency'),
    refereeCreditId: text('referee_credit_id'),
    refereeTakenCents: cents('referee_taken_cents'),
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
