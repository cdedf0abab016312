import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { IntervalUnit } from '#shared/domain/billing-interval.ts'
import type { OncePaid, PlanKey } from '#shared/domain/plan-terms.ts'
import type { SoldKind } from '#shared/domain/sold-items.ts'
import { users } from './auth.ts'
import { instant } from './columns.ts'

const cents = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** Access that members paid for once. Rows outlive the account. */
export const purchase = pgTable(
  'purchase',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    plan: text('plan').$type<PlanKey>().notNull(),
    /** `prompt-pack` or `guide`, with its id and title then, for one item. Null for access to everything. */
    itemKind: text('item_kind').$type<SoldKind>(),
    itemId: text('item_id'),
    itemTitle: text('item_title'),
    once: text('once').$type<OncePaid>().notNull(),
    interval: text('interval').$type<IntervalUnit>().notNull(),
    intervalCount: smallint('interval_count').notNull(),
    /** `unpaid`, `paid`, `refunding` (until Stripe has confirmed it), `refunded` or `disputed`. */
    state: text('state').notNull(),
    /** The price until it is paid, then what was paid with its tax. */
    amountCents: cents('amount_cents'),
    /** The tax in it, which isn't revenue. */
    taxCents: cents('tax_cents').default(0),
    currency: text('currency').notNull(),
    refundedCents: cents('refunded_cents').default(0),
    /** What we decided to refund. */
    refundCents: bigint('refund_cents', { mode: 'number' }),
    /** Hash of what the checkout was opened with. Another one replaces it. */
    terms: text('terms').notNull(),
    stripeSessionId: text('stripe_session_id').unique(),
    stripePaymentIntentId: text('stripe_payment_intent_id').unique(),
    paidAt: instant('paid_at'),
    /** End of the access that it gave; null if it gave none. */
    accessUntil: instant('access_until'),
    /** Access that it gave, without the time before it. Null for access for good. */
    accessSeconds: integer('access_seconds'),
    /** For access for good: the end of the access before it. */
    formerUntil: instant('former_until'),
    /** The newest won dispute, which can't take the access again. */
    wonDisputeId: text('won_dispute_id'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('purchase_user_id_idx').on(t.userId, t.createdAt.desc()),
    // Work of the job.
    index('purchase_open_idx').on(t.createdAt).where(sql`state in ('unpaid', 'refunding')`),
  ],
)
