import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/**
 * One sending of one thing to one audience: an issue, a digest of several, or product news. `content` is frozen by Send
 * or Schedule, the rows in `deliveries` when it is prepared.
 */
export const mailings = pgTable(
  'mailings',
  {
    id: uuid('id').primaryKey(),
    /** `issue`, `digest` or `news`: with the stream, what a reader may turn off. */
    kind: text('kind').notNull(),
    /** The issue, for the kind `issue`: a reader gets it once, however many mailings carry it. */
    issueId: text('issue_id'),
    subject: text('subject').notNull(),
    preheader: text('preheader').notNull(),
    /** `draft`, `scheduled`, `preparing`, `sending`, `paused`, `stopped` or `sent`. */
    status: text('status').notNull(),
    audience: jsonb('audience').notNull(),
    /** What is sent. Of news in a draft, the text as it is written. */
    content: jsonb('content'),
    /** When `content` was frozen: by Send or Schedule, or by Update to latest after it. Null for a draft. */
    frozenAt: instant('frozen_at'),
    /** Errors of the checks, in their words, that the publisher agreed to send with. */
    acceptedErrors: jsonb('accepted_errors'),
    /** Why a mailing did not go out and is a draft again, as `NotSent`; until it is sent, scheduled or dismissed. */
    notSent: jsonb('not_sent'),
    scheduledAt: instant('scheduled_at'),
    preparedAt: instant('prepared_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Why it is paused: `publisher`, or an `AutomaticPause`. */
    pauseReason: text('pause_reason'),
    /** What had come back when somebody resumed it: a pause by itself judges what came since. */
    resumedAfter: jsonb('resumed_after'),
    /** Opens and clicks are counted only where the publication and the member both allow it. */
    tracked: boolean('tracked').notNull().default(false),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('mailings_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
    index('mailings_open_idx').on(t.status).where(sql`status in ('scheduled', 'preparing', 'sending')`),
    // What the dashboard warns about.
    index('mailings_alerts_idx').on(t.updatedAt.desc()).where(sql`not_sent is not null or status = 'paused'`),
  ],
)

/**
 * One member of a frozen audience: `pending`, `sending` (handed to the mail server, answer not known yet), then
 * `submitted`, `failed`, `suppressed`, `stopped` or `unknown`. No foreign key to the user: checking half a million of
 * them takes as long as writing the rows, and the record of what was sent outlives the account, without its address.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    mailingId: uuid('mailing_id').notNull(),
    /** For the kind `issue`. A reader gets an issue once: unique among those that have been or may have been sent. */
    issueId: text('issue_id'),
    userId: uuid('user_id').notNull(),
    /** Null once the account is deleted. */
    email: text('email'),
    /** The part after the @, for throttles by receiving domain. */
    domain: text('domain').notNull(),
    /** What the reader is called, as it was at preparation; null when they have not told, or once the account is deleted. */
    name: text('name'),
    /** What decides the order for this reader, as JSON in one fixed form: readers with the same words share an order. */
    reader: text('reader').notNull(),
    status: text('status').notNull().default('pending'),
    /** Why it failed, was suppressed or is unknown. */
    cause: text('cause'),
    attempts: smallint('attempts').notNull().default(0),
    /** Not before, after a temporary failure. */
    notBefore: instant('not_before'),
    /** The sender that holds it while `sending`. */
    senderId: uuid('sender_id'),
    /** What the mail server answered, in short. */
    response: text('response'),
    /** When the status last changed. */
    changedAt: instant('changed_at'),
    bouncedAt: instant('bounced_at'),
    /** `hard` or `soft`. */
    bounceKind: text('bounce_kind'),
    complainedAt: instant('complained_at'),
    openedAt: instant('opened_at'),
    clickedAt: instant('clicked_at'),
    /** When a program first did, such as the scanner at the door of a mailbox. */
    robotOpenedAt: instant('robot_opened_at'),
    robotClickedAt: instant('robot_clicked_at'),
  },
  (t) => [
    // Begins with the user, so that it also finds what an account that is deleted or exported was sent.
    uniqueIndex('deliveries_user_id_mailing_id_key').on(t.userId, t.mailingId),
    uniqueIndex('deliveries_user_id_issue_id_key')
      .on(t.userId, t.issueId)
      .where(sql`issue_id is not null and status in ('pending', 'sending', 'submitted', 'unknown')`),
    index('deliveries_sending_idx').on(t.senderId).where(sql`status = 'sending'`),
    // Also what a sender takes next: pending ones of a mailing in their order.
    index('deliveries_list_idx').on(t.mailingId, t.status, t.id),
  ],
)

/** How many deliveries of a mailing stand where, and what came back. Triggers keep it: a page reads a dozen rows. */
export const mailingCounts = pgTable(
  'mailing_counts',
  {
    mailingId: uuid('mailing_id').notNull(),
    /** A status, or `hard_bounces`, `soft_bounces`, `complaints`, `opened`, `clicked`, `robot_opened`, `robot_clicked`. */
    name: text('name').notNull(),
    /** The cause, or empty. */
    cause: text('cause').notNull().default(''),
    value: bigint('value', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mailingId, t.name, t.cause] })],
)

/** Processes that send. One that has not been heard of for a while is gone, and what it held becomes `unknown`. */
export const senders = pgTable('senders', {
  id: uuid('id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  seenAt: instant('seen_at').notNull(),
})

/** What was sent in which minute, in all and to each receiving domain: throttles hold over nodes and restarts. */
export const sendingPace = pgTable(
  'sending_pace',
  {
    /** A receiving domain, or `*` for all. */
    domain: text('domain').notNull(),
    minute: instant('minute').notNull(),
    sent: integer('sent').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.domain, t.minute] }), index('sending_pace_minute_idx').on(t.minute)],
)

/** Groups of readers that the publisher put together by hand. */
export const segments = pgTable('segments', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  createdAt: instant('created_at').notNull(),
  createdBy: text('created_by'),
  createdById: uuid('created_by_id'),
})

export const segmentMembers = pgTable(
  'segment_members',
  {
    segmentId: uuid('segment_id')
      .notNull()
      .references(() => segments.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    addedAt: instant('added_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.segmentId, t.userId] }), index('segment_members_user_id_idx').on(t.userId)],
)

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

/** Settings that the publisher changes while the server runs, by name: `sending`, `tracking`. */
export const publicationSettings = pgTable('publication_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})
