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
    /** Why a mailing did not go out and is a draft again, as `SendFailure`; until it is sent, scheduled or dismissed. */
    sendFailure: jsonb('send_failure'),
    scheduledAt: instant('scheduled_at'),
    preparedAt: instant('prepared_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Why it is paused: `publisher`, or an `AutomaticPause`. */
    pauseReason: text('pause_reason'),
    /** What had come back when somebody resumed it: a pause by itself judges what came since. */
    feedbackAtResume: jsonb('feedback_at_resume'),
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
    index('mailings_alerts_idx').on(t.updatedAt.desc()).where(sql`send_failure is not null or status = 'paused'`),
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
    nextAttemptAt: instant('next_attempt_at'),
    /** The sender that holds it while `sending`. */
    senderId: uuid('sender_id'),
    /** What the mail server answered, in short. */
    response: text('response'),
    /** When the status last changed. */
    changedAt: instant('changed_at'),
    bouncedAt: instant('bounced_at'),
    /** `hard` or `soft`. */
    bounceType: text('bounce_type'),
    complainedAt: instant('complained_at'),
    openedAt: instant('opened_at'),
    clickedAt: instant('clicked_at'),
    /** When a program first did, such as the scanner at the door of a mailbox. */
    botOpenedAt: instant('bot_opened_at'),
    botClickedAt: instant('bot_clicked_at'),
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
    /** A status, or `hard_bounces`, `soft_bounces`, `complaints`, `opened`, `clicked`, `bot_opened`, `bot_clicked`. */
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
  heartbeatAt: instant('heartbeat_at').notNull(),
})

/** What was sent in which minute, in all and to each receiving domain: throttles hold over nodes and restarts. */
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
