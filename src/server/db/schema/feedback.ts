import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** A reader's vote in the poll of a drop: one per reader, and it can change. */
export const pollVotes = pgTable(
  'poll_votes',
  {
    issueId: text('issue_id').notNull(),
    userId: userId(),
    /** The answer's text. Rewording an answer leaves earlier votes with the old one. */
    answer: text('answer').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issueId, t.userId] }), index('poll_votes_user_id_idx').on(t.userId)],
)

/** Answers to the closing question of a drop. */
export const questionAnswers = pgTable(
  'question_answers',
  {
    id: uuid('id').primaryKey(),
    issueId: text('issue_id').notNull(),
    userId: userId(),
    /** The value at the time of the answer. */
    question: text('question').notNull(),
    /** Plain text. */
    text: text('text').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    index('question_answers_at_idx').on(t.at.desc(), t.id.desc()),
    index('question_answers_issue_id_idx').on(t.issueId, t.userId),
    index('question_answers_user_id_idx').on(t.userId),
  ],
)

/** Votes on the usefulness of drops and guides. Each reader has one changeable vote per item. */
export const itemVotes = pgTable(
  'item_votes',
  {
    /** `issue` or `guide`. */
    kind: text('kind').notNull(),
    itemId: text('item_id').notNull(),
    userId: userId(),
    useful: boolean('useful').notNull(),
    /** Why, in plain text; may be empty. */
    why: text('why').notNull().default(''),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.itemId, t.userId] }), index('item_votes_user_id_idx').on(t.userId, t.kind)],
)
