import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Newsletters that the publisher added. Rows are never deleted, so that links in old emails keep their meaning. */
export const newsletter = pgTable(
  'newsletter',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** Empty for the publication's sender, as are the address and Reply-To. */
    senderName: text('sender_name').notNull().default(''),
    senderAddress: text('sender_address').notNull().default(''),
    replyTo: text('reply_to').notNull().default(''),
    /** True if only readers with access get it. */
    membersOnly: boolean('members_only').notNull(),
    /** True if everyone who joins is subscribed until they turn it off. */
    subscribesNewMembers: boolean('subscribes_new_members').notNull(),
    position: integer('position').notNull(),
    retiredAt: instant('retired_at'),
    /** Incremented by every save, which names the version it is based on. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    updatedBy: text('updated_by'),
    updatedById: uuid('updated_by_id'),
  },
  (t) => [uniqueIndex('newsletter_name_key').on(sql`lower(${t.name})`).where(sql`retired_at is null`)],
)

/** Who gets which newsletter. A reader without a row was never subscribed; one who unsubscribed keeps a row. */
export const newsletterSubscription = pgTable(
  'newsletter_subscription',
  {
    newsletterId: integer('newsletter_id')
      .notNull()
      .references(() => newsletter.id),
    userId: userId(),
    subscribed: boolean('subscribed').notNull(),
    /** When the reader was subscribed or unsubscribed; 1970 if an import didn't say. */
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.newsletterId, t.userId] }),
    index('newsletter_subscription_user_id_idx').on(t.userId),
    // For the overview, which looks at the last weeks.
    index('newsletter_subscription_unsubscribed_at_idx').on(t.changedAt, t.userId).where(sql`not subscribed`),
    // Few readers unsubscribe, so the filter on them reads little.
    index('newsletter_subscription_unsubscribed_idx').on(t.newsletterId, t.userId).where(sql`not subscribed`),
  ],
)
