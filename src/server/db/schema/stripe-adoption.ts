import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { PlanKey } from '#shared/domain/plans.ts'
import { instant, partOf } from './columns.ts'

/** Prices of other Stripe products that count as one of our plans. Chosen by an owner; products of our plans need none. */
export const adoptedPrice = pgTable('adopted_price', {
  priceId: text('price_id').primaryKey(),
  plan: text('plan').$type<PlanKey>().notNull(),
  createdBy: text('created_by'),
  createdById: uuid('created_by_id'),
  createdAt: instant('created_at').notNull(),
})

/** A list of the Stripe account's subscriptions, and how far adopting them has come. */
export const stripeAdoption = pgTable(
  'stripe_adoption',
  {
    id: uuid('id').primaryKey(),
    /** `listing`, `listed`, `running`, `finished` or `canceled`. */
    status: text('status').notNull(),
    /** The last subscription listed, or the last customer adopted. */
    cursor: text('cursor').notNull().default(''),
    listed: integer('listed').notNull().default(0),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    // One at a time.
    uniqueIndex('stripe_adoption_open_key').on(sql`(true)`).where(sql`${t.status} in ('listing', 'listed', 'running')`),
    index('stripe_adoption_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
  ],
)

export type ListedPrice = {
  id: string
  productId: string
  name: string
  amountCents: number
  currency: string
  interval: string
}

/** Subscriptions that aren't canceled, as Stripe listed them. Deleted when the adoption ends. */
export const stripeAdoptionSubscription = pgTable(
  'stripe_adoption_subscription',
  {
    adoptionId: partOf('adoption_id', () => stripeAdoption.id),
    subscriptionId: text('subscription_id').notNull(),
    stripeCustomer: text('stripe_customer').notNull(),
    /** Lower case; empty if Stripe has none. */
    address: text('address').notNull(),
    name: text('name'),
    status: text('status').notNull(),
    /** A trial from our own checkout, which a sync may cancel. */
    isTrialOffer: boolean('is_trial_offer').notNull(),
    prices: jsonb('prices').$type<ListedPrice[]>().notNull(),
    /** The result for the customer; null until then. */
    outcome: text('outcome'),
  },
  (t) => [
    primaryKey({ columns: [t.adoptionId, t.subscriptionId] }),
    index('stripe_adoption_subscription_customer_idx').on(t.adoptionId, t.stripeCustomer),
    index('stripe_adoption_subscription_address_idx').on(t.address),
  ],
)
