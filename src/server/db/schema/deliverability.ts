import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Who began the free edition of a reader who didn't ask for it. */
export type FreeSource = 'import' | 'staff'

/** A reader's choice of email. A reader without a row gets everything, with drops weekly and no tracking. */
export const emailPreferences = pgTable(
  'email_preferences',
  {
    userId: userId().primaryKey(),
    /** `weekly`, `monthly` or `off`. */
    drops: text('drops').notNull().default('weekly'),
    news: boolean('news').notNull().default(true),
    /** True if the reader is asked, a week later, how what they tried went. */
    followUps: boolean('follow_ups').notNull().default(true),
    /** True if the reader gets email about assignments of their team. */
    assignments: boolean('assignments').notNull().default(true),
    /** The reader's time zone, as their browser last reported it; null if unknown. */
    timeZone: text('time_zone'),
    /** When drops arrive if the publisher allows readers' hours: `publication`, `usual`, or an hour of the day, 0–23. */
    dropTime: text('drop_time').notNull().default('usual'),
    /** The hour at which the reader usually reads, in their time zone; null while too little is known. Computed daily. */
    usualHour: smallint('usual_hour'),
    /** True if the reader allows open and click tracking. */
    allowsTracking: boolean('allows_tracking').notNull().default(false),
    /** When the free edition began, which the reader gets while they have no access; null without it. */
    freeSince: instant('free_since'),
    /** Who began it: `import` or `staff`; null for the reader. */
    freeSource: text('free_source').$type<FreeSource>(),
    updatedAt: instant('updated_at').notNull(),
    /** When the reader last turned off drops, news or follow-ups; null if all are on, or were never turned off by the reader. */
    unsubscribedAt: instant('unsubscribed_at'),
  },
  (t) => [
    index('email_preferences_free_idx').on(t.userId).where(sql`free_since is not null`),
    index('email_preferences_unsubscribed_at_idx')
      .on(t.unsubscribedAt, t.userId)
      .where(sql`unsubscribed_at is not null`),
    // For the filters of the members list.
    index('email_preferences_drops_off_idx').on(t.userId).where(sql`drops = 'off'`),
    index('email_preferences_news_off_idx').on(t.userId).where(sql`not news`),
  ],
)

/** Addresses that get no newsletter email, by stream. Lifted rows stay as a record. Account and billing email ignores them. */
export const suppressions = pgTable(
  'suppressions',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    /** `drops`, `news`, `follow-ups`, `assignments`, `newsletter:` and an id, or `all`. */
    stream: text('stream').notNull(),
    /** `hard_bounce`, `soft_bounces`, `complaint`, `unsubscribed` or `manual`. */
    reason: text('reason').notNull(),
    detail: text('detail'),
    mailingId: uuid('mailing_id'),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    liftedAt: instant('lifted_at'),
    liftedBy: text('lifted_by'),
    liftedById: uuid('lifted_by_id'),
    liftReason: text('lift_reason'),
  },
  (t) => [
    uniqueIndex('suppressions_live_key').on(t.email, t.stream).where(sql`lifted_at is null`),
    index('suppressions_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
    // The list is searched by any part of an address.
    index('suppressions_email_trgm_idx').using('gin', t.email.op('gin_trgm_ops')),
  ],
)

/** Suppressions that outlive a deleted account. They apply again to the next account with the address. */
export const retainedSuppressions = pgTable(
  'retained_suppressions',
  {
    /** HMAC of the lower-case address under the server's key. */
    addressHash: text('address_hash').notNull(),
    stream: text('stream').notNull(),
    /** `complaint` or `manual`. */
    reason: text('reason').notNull(),
    /** When the suppression was created. */
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.addressHash, t.stream] })],
)

/** Account and billing emails of the last 90 days by address: subject and status, never the body. */
export const accountEmails = pgTable(
  'account_emails',
  {
    id: uuid('id').primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    /** `queued`, `sent`, `skipped` (expired or over the limit) or `failed` (retried for a while). */
    status: text('status').notNull(),
    /** The mail server's response, or why the email was skipped. */
    error: text('error'),
    requestedAt: instant('requested_at').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    index('account_emails_email_requested_at_idx').on(t.email, t.requestedAt, t.id),
    index('account_emails_requested_at_idx').on(t.requestedAt),
  ],
)

/** Bounces, complaints, opens and clicks, each recorded once. */
export const emailEvents = pgTable(
  'email_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** `generic`, `ses`, `postmark`, `mailgun`, `dsn`, `arf` or `self` (our own sender and tracking). */
    source: text('source').notNull(),
    /** The provider's event id, or a hash of it. */
    externalId: text('external_id').notNull(),
    /** `hard_bounce`, `soft_bounce`, `blocked`, `complaint`, `opened` or `clicked`. */
    type: text('type').notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }),
    email: text('email'),
    detail: text('detail'),
    /** Opened or clicked by a security scanner or another bot. */
    isBot: boolean('is_bot').notNull().default(false),
    occurredAt: instant('occurred_at').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    uniqueIndex('email_events_source_external_id_key').on(t.source, t.externalId),
    index('email_events_delivery_id_idx').on(t.deliveryId),
    index('email_events_email_idx').on(t.email, t.occurredAt.desc()),
  ],
)
