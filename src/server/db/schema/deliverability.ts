import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** What a reader wants by mail; without a row, weekly drops and product news, and nothing counted. */
export const mailPreferences = pgTable('mail_preferences', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** `weekly`, `monthly` or `off`. */
  drops: text('drops').notNull().default('weekly'),
  news: boolean('news').notNull().default(true),
  /** Whether opens and clicks of theirs may be counted. */
  counted: boolean('counted').notNull().default(false),
  updatedAt: instant('updated_at').notNull(),
})

/**
 * Addresses that are written to no more, by stream. Lifted ones stay as a record. Account and billing mail looks at
 * none of them.
 */
export const suppressions = pgTable(
  'suppressions',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    /** `drops`, `news` or `all` (both). */
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

/** Suppressions that outlive a deleted account. They hold again for the next account with the address. */
export const retainedSuppressions = pgTable(
  'retained_suppressions',
  {
    /** HMAC of the lower-case address under the server's key. */
    addressHash: text('address_hash').notNull(),
    stream: text('stream').notNull(),
    /** `complaint` or `manual`. */
    reason: text('reason').notNull(),
    /** Of the suppression. */
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.addressHash, t.stream] })],
)

/** Account and billing emails of the last 90 days by address: subject and fate, never the text. */
export const accountEmails = pgTable(
  'account_emails',
  {
    id: uuid('id').primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    /** `waiting`, `sent`, `left-out` (expired, or one too many) or `failed` (and tried again for a while). */
    status: text('status').notNull(),
    /** What the mail server answered. */
    problem: text('problem'),
    askedAt: instant('asked_at').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [
    index('account_emails_email_asked_at_idx').on(t.email, t.askedAt, t.id),
    index('account_emails_asked_at_idx').on(t.askedAt),
  ],
)

/** What a provider or a mailbox told us about a mail, each report once. */
export const mailEvents = pgTable(
  'mail_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** `generic`, `ses`, `postmark`, `mailgun`, `dsn`, `arf` or `self` (our own counting). */
    source: text('source').notNull(),
    /** The provider's id of the report, or a hash of it. */
    externalId: text('external_id').notNull(),
    /** `hard_bounce`, `soft_bounce`, `complaint`, `opened` or `clicked`. */
    type: text('type').notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }),
    email: text('email'),
    detail: text('detail'),
    /** Opened or clicked by a program and not by a person. */
    robot: boolean('robot').notNull().default(false),
    occurredAt: instant('occurred_at').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    uniqueIndex('mail_events_source_external_id_key').on(t.source, t.externalId),
    index('mail_events_delivery_id_idx').on(t.deliveryId),
    index('mail_events_email_idx').on(t.email, t.occurredAt.desc()),
  ],
)
