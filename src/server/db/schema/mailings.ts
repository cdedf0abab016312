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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { RepliesChoice } from '#shared/contracts/publishing/email-preferences.ts'
import { userId } from './auth.ts'
import { created, instant } from './columns.ts'

/**
 * An issue, a digest of several, product news or one day's follow-ups, sent to one audience. Send or Schedule freezes
 * `content`; preparing freezes the rows in `deliveries`. An email of a series gets a delivery whenever it is due for someone.
 */
export const mailings = pgTable(
  'mailings',
  {
    id: uuid('id').primaryKey(),
    /** `issue`, `digest`, `news`, `follow-up` or `series`. Decides which stream a reader can turn off. */
    kind: text('kind').notNull(),
    /** The issue, for kind `issue`. A reader gets an issue once, even if several mailings contain it. */
    issueId: text('issue_id'),
    subject: text('subject').notNull(),
    preheader: text('preheader').notNull(),
    /** `draft`, `scheduled`, `preparing`, `sending`, `paused`, `stopped` or `sent`. */
    status: text('status').notNull(),
    audience: jsonb('audience').notNull(),
    /** The content to send. News and follow-up drafts keep their text here; null for drafts of other kinds. */
    content: jsonb('content'),
    /** When `content` was frozen by Send, Schedule or Update to latest. Null for a draft. */
    frozenAt: instant('frozen_at'),
    /** Messages of check errors that the publisher accepted. */
    acceptedErrors: jsonb('accepted_errors'),
    /** A `SendFailure`: why the mailing wasn't sent and is a draft again. Cleared by sending, scheduling or dismissing. */
    sendFailure: jsonb('send_failure'),
    scheduledAt: instant('scheduled_at'),
    /** While scheduled together with its drop: the version that has to be published before it is sent. */
    waitsForVersion: integer('waits_for_version'),
    preparedAt: instant('prepared_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** `publisher`, or an `AutomaticPause`. */
    pauseReason: text('pause_reason'),
    /** Bounces and complaints at the last resume. Automatic pauses only count newer ones. */
    feedbackAtResume: jsonb('feedback_at_resume'),
    /** Opens and clicks are counted only if both the publication and the member allow it. */
    tracked: boolean('tracked').notNull().default(false),
    /** A `SubjectTest`, or null. Can't change once the mailing is sent or scheduled. */
    subjectTest: jsonb('subject_test'),
    /** A `SubjectTestResult`, from the freezing of the audience on. */
    subjectTestResult: jsonb('subject_test_result'),
    /** True if each reader gets it at their own hour. Once prepared, true only if the settings allowed it. */
    readerHours: boolean('reader_hours').notNull().default(false),
    version: integer('version').notNull().default(1),
    ...created(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('mailings_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
    // A member's newsletter email: the few mailings, newest first, each looked up among their deliveries.
    index('mailings_started_at_idx').on(t.startedAt.desc(), t.id.desc()).where(sql`started_at is not null`),
    index('mailings_open_idx').on(t.status).where(sql`status in ('scheduled', 'preparing', 'sending')`),
    // For the dashboard's warnings.
    index('mailings_alerts_idx').on(t.updatedAt.desc()).where(sql`send_failure is not null or status = 'paused'`),
  ],
)

/**
 * One recipient of a frozen audience: `pending`, `sending` (handed to the mail server, no response yet), then `submitted`,
 * `failed`, `suppressed`, `stopped` or `unknown`. No foreign key to the user: checking 500,000 keys would double the
 * time to write the rows, and the delivery record outlives the account, without its address.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    mailingId: uuid('mailing_id').notNull(),
    /** For kind `issue`. Unique among deliveries that were or may have been sent, so a reader gets an issue once. */
    issueId: text('issue_id'),
    userId: uuid('user_id').notNull(),
    /** Null once the account is deleted. */
    email: text('email'),
    /** The part after the @, for limits by receiving domain. */
    domain: text('domain').notNull(),
    /** The reader's name at preparation; null without a name or once the account is deleted. */
    name: text('name'),
    /** The facts that decide the order of sections, as canonical JSON. Equal text means equal order. */
    reader: text('reader').notNull(),
    /** The subject for a recipient of a subject test: 0 is the mailing's own. Null for those who wait for the decision. */
    subjectIndex: smallint('subject_index'),
    status: text('status').notNull().default('pending'),
    /** Why it failed, was suppressed or is unknown. */
    cause: text('cause'),
    attempts: smallint('attempts').notNull().default(0),
    /** When to retry after a temporary failure. */
    nextAttemptAt: instant('next_attempt_at'),
    /** The reader's hour: not sent earlier. Set for all deliveries of a mailing with `reader_hours`, and only for those. */
    sendAt: instant('send_at'),
    /** The sender that holds it while `sending`. */
    senderId: uuid('sender_id'),
    /** The mail server's response, shortened. */
    response: text('response'),
    /** When the status last changed. */
    changedAt: instant('changed_at'),
    bouncedAt: instant('bounced_at'),
    /** `hard` or `soft`. */
    bounceType: text('bounce_type'),
    complainedAt: instant('complained_at'),
    openedAt: instant('opened_at'),
    clickedAt: instant('clicked_at'),
    /** First automated open, such as by a security scanner. */
    botOpenedAt: instant('bot_opened_at'),
    botClickedAt: instant('bot_clicked_at'),
    /** When the reader turned the stream off with a link of this email. */
    unsubscribedAt: instant('unsubscribed_at'),
  },
  (t) => [
    // Starts with the user, so that it also serves account export and deletion.
    uniqueIndex('deliveries_user_id_mailing_id_key').on(t.userId, t.mailingId),
    uniqueIndex('deliveries_user_id_issue_id_key')
      .on(t.userId, t.issueId)
      .where(sql`issue_id is not null and status in ('pending', 'sending', 'submitted', 'unknown')`),
    index('deliveries_sending_idx').on(t.senderId).where(sql`status = 'sending'`),
    // Claims of pending deliveries read this index in order.
    index('deliveries_list_idx').on(t.mailingId, t.status, t.id),
    // For the report's lists, which are short beside the mailing's.
    index('deliveries_feedback_idx')
      .on(t.mailingId, t.id)
      .where(sql`bounce_type is not null or complained_at is not null or unsubscribed_at is not null`),
    // The groups of a subject test, and those of them that haven't been sent.
    index('deliveries_subject_idx').on(t.mailingId, t.subjectIndex).where(sql`subject_index is not null`),
    index('deliveries_test_open_idx')
      .on(t.mailingId, t.id)
      .where(sql`subject_index is not null and status in ('pending', 'sending')`),
    // Claims of a mailing with readers' hours: what is due, without those who wait.
    index('deliveries_send_at_idx')
      .on(t.mailingId, t.sendAt, t.id)
      .where(sql`send_at is not null and status = 'pending'`),
    index('deliveries_clicked_idx').on(t.mailingId, t.id).where(sql`clicked_at is not null`),
  ],
)

/** Deliveries and feedback of a mailing by status. Kept by triggers, so that a page reads a dozen rows. */
export const mailingCounts = pgTable(
  'mailing_counts',
  {
    mailingId: uuid('mailing_id').notNull(),
    /**
     * A status, or `delivered` (accepted and not returned), `hard_bounces`, `soft_bounces`, `complaints`, `opened`,
     * `clicked`, `bot_opened`, `bot_clicked`, `unsubscribed`; the sender counts `countable`.
     */
    name: text('name').notNull(),
    /** Empty unless the delivery failed or was skipped. */
    cause: text('cause').notNull().default(''),
    value: bigint('value', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mailingId, t.name, t.cause] })],
)

/** Counts of a mailing's deliveries, opens and clicks by hour, for the report's chart. Triggers update them. */
export const mailingHours = pgTable(
  'mailing_hours',
  {
    mailingId: uuid('mailing_id').notNull(),
    /** Start of the hour in UTC. */
    hour: instant('hour').notNull(),
    /** `submitted`, `opened`, `clicked` or `unsubscribed`. */
    name: text('name').notNull(),
    value: bigint('value', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mailingId, t.hour, t.name] })],
)

/** Clicks on each link of a mailing: readers, and clicks by bots. Kept by triggers. */
export const mailingLinks = pgTable(
  'mailing_links',
  {
    mailingId: uuid('mailing_id').notNull(),
    url: text('url').notNull(),
    readers: bigint('readers', { mode: 'number' }).notNull().default(0),
    bots: bigint('bots', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mailingId, t.url] })],
)

/** Sender processes. When a heartbeat is overdue, the sender's deliveries become `unknown`. */
export const senders = pgTable('senders', {
  id: uuid('id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  heartbeatAt: instant('heartbeat_at').notNull(),
  /** The server's version. Null before 0.5.0. */
  version: text('version'),
})

/** Emails sent per minute, in total and by receiving domain, so that limits hold across nodes and restarts. */
export const throttleUsage = pgTable(
  'throttle_usage',
  {
    /** A receiving domain, or `*` for all. */
    domain: text('domain').notNull(),
    minute: instant('minute').notNull(),
    sent: integer('sent').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.domain, t.minute] }), index('throttle_usage_minute_idx').on(t.minute)],
)

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
    /** True if the reader gets email about assignments of their team, and about their deadlines. */
    assignments: boolean('assignments').notNull().default(true),
    /** About replies to the reader's answers under drops: `at-once`, `daily` or `off`. */
    replies: text('replies').$type<RepliesChoice>().notNull().default('at-once'),
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
    /** `drops`, `news`, `follow-ups`, `assignments`, `replies`, `newsletter:` and an id, or `all`. */
    stream: text('stream').notNull(),
    /** `hard_bounce`, `soft_bounces`, `complaint`, `unsubscribed` or `manual`. */
    reason: text('reason').notNull(),
    detail: text('detail'),
    mailingId: uuid('mailing_id'),
    ...created(),
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

/** What members replied to emails of the publication, from the mailbox of replies. */
export const emailReplies = pgTable(
  'email_replies',
  {
    id: uuid('id').primaryKey(),
    /** Hash of the Message-ID, so that each email is recorded once. */
    messageHash: text('message_hash').notNull().unique(),
    userId: userId(),
    /** The mailing that it replies to. */
    mailingId: uuid('mailing_id').notNull(),
    /** The drop of that mailing, if it sent one. */
    issueId: text('issue_id'),
    /** Plain text, without what it quotes. May be empty. */
    text: text('text').notNull(),
    isShortened: boolean('is_shortened').notNull(),
    /** Names of attachments, which stay in the mailbox. */
    attachments: text('attachments').array().notNull(),
    /** True if it names an email that only this member got. False: only its sender and subject fit, which anyone can write. */
    hasToken: boolean('has_token').notNull(),
    /** When the mail server received it. */
    at: instant('at').notNull(),
  },
  (t) => [
    index('email_replies_at_idx').on(t.at.desc(), t.id.desc()),
    index('email_replies_issue_id_idx').on(t.issueId),
    index('email_replies_user_id_idx').on(t.userId),
    // For subject tests by replies.
    index('email_replies_mailing_id_idx').on(t.mailingId),
  ],
)

/** How far the mailbox of replies has been read. */
export const replyMailbox = pgTable('reply_mailbox', {
  /** User, server and folder. */
  address: text('address').primaryKey(),
  /** If the mail server changes it, its numbers of emails begin anew. */
  uidValidity: text('uid_validity').notNull(),
  lastUid: bigint('last_uid', { mode: 'number' }).notNull(),
  /** Emails that were answers of a machine. */
  automatic: integer('automatic').notNull().default(0),
  /** Emails that weren't replies of members. */
  others: integer('others').notNull().default(0),
  readAt: instant('read_at').notNull(),
  /** All emails that arrived before this time were read. Null until a run reached the end of the mailbox. */
  readThrough: instant('read_through'),
})
