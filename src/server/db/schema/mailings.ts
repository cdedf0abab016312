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
import { instant } from './columns.ts'

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
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
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
