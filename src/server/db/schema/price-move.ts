import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { IntervalUnit } from '#shared/domain/billing-interval.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import { userId } from './auth.ts'
import { instant, partOf } from './columns.ts'

/** Members of a plan who are moved from their earlier prices to the plan's price, after a notice by email. */
export const priceMove = pgTable(
  'price_move',
  {
    id: uuid('id').primaryKey(),
    plan: text('plan').$type<PlanKey>().notNull(),
    /** The plan's price when the move was started. */
    priceId: text('price_id').notNull(),
    priceCents: bigint('price_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    /** `day`, `week`, `month` or `year`. */
    interval: text('interval').$type<IntervalUnit>().notNull(),
    intervalCount: smallint('interval_count').notNull().default(1),
    noticeDays: integer('notice_days').notNull(),
    /** `announcing`, `announced` (waiting for renewals), `moving`, `finished`, `canceling` or `canceled`. */
    status: text('status').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    // One at a time for each plan.
    uniqueIndex('price_move_open_key').on(t.plan).where(sql`${t.status} not in ('finished', 'canceled')`),
    index('price_move_created_at_idx').on(t.plan, t.createdAt.desc(), t.id.desc()),
  ],
)

export const priceMoveMember = pgTable(
  'price_move_member',
  {
    moveId: partOf('move_id', () => priceMove.id),
    userId: userId(),
    subscriptionId: text('subscription_id').notNull(),
    /** Per interval, before discounts. */
    oldCents: bigint('old_cents', { mode: 'number' }).notNull(),
    newCents: bigint('new_cents', { mode: 'number' }).notNull(),
    /** The renewal with the new price. Moves to the next one if that isn't possible then, as during a pause. */
    effectiveAt: instant('effective_at').notNull(),
    /** `planned`, `announced` (emailed), `moved`, `left` (not moved, see `reason`) or `kept` (the move was canceled). */
    state: text('state').notNull(),
    reason: text('reason'),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.moveId, t.userId] }),
    index('price_move_member_user_id_idx').on(t.userId),
    index('price_move_member_effective_at_idx').on(t.moveId, t.state, t.effectiveAt),
  ],
)
