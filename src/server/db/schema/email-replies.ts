import { bigint, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

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
