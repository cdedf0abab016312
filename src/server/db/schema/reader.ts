import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  foreignKey,
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
import type { CommentState } from '#shared/contracts/reader/comments.ts'
import type { ShareableKind } from '#shared/contracts/reader/sharing.ts'
import type { TriedKind, TryBreakdown } from '#shared/contracts/reader/tries.ts'
import type { LocationVariable, ProfileVariable, Values } from '#shared/domain/business-profile.ts'
import type { CustomFieldOption, FieldValues } from '#shared/domain/custom-fields.ts'
import type { FranchisorRule, RuleTopic } from '#shared/domain/franchisor-rules.ts'
import type { MoneySource } from '#shared/domain/store-receipt.ts'
import type { TryOutcome } from '#shared/domain/try-outcomes.ts'
import { sessions, userId, users } from './auth.ts'
import { instant, itemColumns, partOf, updated } from './columns.ts'
import { contentItems } from './content.ts'

/** Staff roles in effect; `admin` is an owner. Clients read their own row, and only staff calls and commands write. */
export const userRoles = pgTable('user_roles', { userId: userId(), role: text('role').notNull() }, (t) => [
  primaryKey({ columns: [t.userId, t.role] }),
  // One role per person: clients read a single row.
  uniqueIndex('user_roles_user_id_key').on(t.userId),
])

export const userPreferences = pgTable('user_preferences', {
  userId: userId().primaryKey(),
  focusAreas: text('focus_areas').array().notNull(),
  aiLevel: text('ai_level').notNull(),
  goals: text('goals').array().notNull(),
  franchiseType: text('franchise_type'),
  /** Set when the welcome email is queued, so that a double click queues it once. */
  welcomedAt: instant('welcomed_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** Fields that the publisher added to members. Rows are never deleted, so that no id is used twice. */
export const customField = pgTable('custom_field', {
  id: integer('id').primaryKey(),
  /** Made from the first label; never changes. */
  key: text('key').notNull().unique(),
  label: text('label').notNull(),
  help: text('help').notNull().default(''),
  /** `text`, `choice`, `choices`, `number`, `date` or `yes_no`; never changes. */
  kind: text('kind').notNull(),
  /** Options are retired, never removed. */
  options: jsonb('options').$type<CustomFieldOption[]>().notNull().default([]),
  /** `sign_up`, `account` or `never`. */
  asked: text('asked').notNull(),
  required: boolean('required').notNull().default(false),
  position: integer('position').notNull(),
  retiredAt: instant('retired_at'),
  /** Incremented by every save, which names the version it is based on. */
  version: integer('version').notNull().default(1),
  createdAt: instant('created_at').notNull(),
  ...updated(),
})

/** Members' values of these fields. A trigger copies the tokens to `member_facts`. */
export const customFieldValues = pgTable('custom_field_values', {
  userId: userId().primaryKey(),
  /** By field id. */
  values: jsonb('values').$type<FieldValues>().notNull(),
  /** Made by `fieldTokens`. */
  tokens: text('tokens').array().notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** A reader's facts about the business, by variable of `shared/domain/variables.ts`. Private. */
export const businessProfile = pgTable('business_profile', {
  userId: userId().primaryKey(),
  values: jsonb('values').$type<Values<ProfileVariable>>().notNull().default({}),
  updatedAt: instant('updated_at').notNull(),
})

/** Money that was found with something from here: one amount for each store, month and source, so that it counts once. */
export const storeMoney = pgTable(
  'store_money',
  {
    id: uuid('id').primaryKey(),
    ownerId: partOf('owner_id', () => users.id),
    locationId: uuid('location_id').references(() => businessLocation.id, { onDelete: 'set null' }),
    /** "2026-05" */
    month: text('month').notNull(),
    source: text('source').$type<MoneySource>().notNull(),
    cents: integer('cents').notNull(),
    note: text('note').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    uniqueIndex('store_money_key').on(t.ownerId, t.locationId, t.month, t.source),
    index('store_money_location_id_idx').on(t.locationId),
  ],
)

/** Facts that differ at one location. */
export const businessLocation = pgTable(
  'business_location',
  {
    /** Chosen by the client, so that a repeated request adds it once. */
    id: uuid('id').primaryKey(),
    userId: userId(),
    name: text('name').notNull(),
    values: jsonb('values').$type<Values<LocationVariable>>().notNull().default({}),
    /** True if members of the owner's team may read it. */
    shared: boolean('shared').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [index('business_location_user_id_created_at_idx').on(t.userId, t.createdAt)],
)

/** Dates that a reader must not miss, each for one location or for the whole business. */
export const deadline = pgTable(
  'deadline',
  {
    /** Chosen by the client, so that a repeated request adds it once. */
    id: uuid('id').primaryKey(),
    userId: userId(),
    locationId: uuid('location_id').references(() => businessLocation.id, { onDelete: 'cascade' }),
    /** Of content/deadlines.yaml or the publisher's text, or `other`. It may be gone since. */
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    leadDays: smallint('lead_days').notNull(),
    yearly: boolean('yearly').notNull(),
    done: boolean('done').notNull(),
    /** Day of the next reminder; null after the last. */
    remindOn: date('remind_on', { mode: 'string' }),
    /** Counts changes, for calendars. */
    revision: integer('revision').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('deadline_user_id_due_on_idx').on(t.userId, t.dueOn),
    index('deadline_location_id_idx').on(t.locationId),
    index('deadline_remind_on_idx').on(t.remindOn).where(sql`not done`),
  ],
)

/** Devices that readers subscribed to push messages. Each ends with the session that subscribed it. */
export const pushSubscription = pgTable(
  'push_subscription',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    sessionId: partOf('session_id', () => sessions.id),
    /** At the browser's push service. Secret, since anyone who knows it can send. */
    endpoint: text('endpoint').notNull().unique(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** Kinds of messages that the device gets, as `pushKinds`. */
    kinds: text('kinds').array().notNull(),
    /** True if nothing is sent during quiet hours. */
    quiet: boolean('quiet').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('push_subscription_user_id_idx').on(t.userId),
    index('push_subscription_session_id_idx').on(t.sessionId),
  ],
)

/** Answers to blanks that the profile doesn't know. A forgotten one stays, empty, so that an older answer can't return. */
export const promptAnswer = pgTable(
  'prompt_answer',
  {
    userId: userId(),
    /** A prompt, or a prompt quoted in a section. It may have been unpublished since. */
    promptId: text('prompt_id').notNull(),
    blank: text('blank').notNull(),
    answer: text('answer').notNull(),
    answeredAt: instant('answered_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.promptId, t.blank] }),
    index('prompt_answer_user_id_answered_at_idx').on(t.userId, t.answeredAt),
  ],
)

/** The franchisor's rules as a reader recorded them, one row per topic. */
export const franchisorRules = pgTable(
  'franchisor_rules',
  {
    userId: userId(),
    topic: text('topic').$type<RuleTopic>().notNull(),
    rule: text('rule').$type<FranchisorRule>().notNull(),
    /** The franchisor's answer, in the reader's words. */
    note: text('note').notNull(),
    saidOn: date('said_on', { mode: 'string' }),
    /** When the reader recorded it, by the reader's device; never in the future. */
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.topic] })],
)

/*
 * Items that readers keep. Each row is the newest change of its key by the reader's clock, and stays when the item is
 * removed again, so that changes which arrive late don't undo newer ones.
 */

export const savedItems = pgTable(
  'saved_items',
  {
    userId: userId(),
    ...itemColumns(),
    saved: boolean('saved').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('saved_items_list_idx').on(t.userId, t.at.desc(), t.kind.desc(), t.itemId.desc()).where(sql`${t.saved}`),
    index('saved_items_kind_idx').on(t.userId, t.kind, t.at.desc(), t.itemId.desc()).where(sql`${t.saved}`),
    index('saved_items_item_idx').on(t.kind, t.itemId).where(sql`${t.saved}`),
  ],
)

/** Ids are made by clients, so they are unique only for each reader. */
export const collections = pgTable(
  'collections',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    /** The name that the reader typed. Equal names get a number when they are shown. */
    name: text('name').notNull(),
    deleted: boolean('deleted').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] })],
)

export const collectionItems = pgTable(
  'collection_items',
  {
    userId: userId(),
    collectionId: uuid('collection_id').notNull(),
    ...itemColumns(),
    member: boolean('member').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.collectionId] }),
    foreignKey({
      columns: [t.userId, t.collectionId],
      foreignColumns: [collections.userId, collections.id],
    }).onDelete('cascade'),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('collection_items_list_idx')
      .on(t.userId, t.collectionId, t.at.desc(), t.kind.desc(), t.itemId.desc())
      .where(sql`${t.member}`),
  ],
)

/** A reader's current visit to the list of issues, and the one before it. */
export const readerVisits = pgTable('reader_visits', {
  userId: userId().primaryKey(),
  startedAt: instant('started_at').notNull(),
  /** When the visit before it started. In a first visit, when the reader last read something, or its own start. */
  previousAt: instant('previous_at').notNull(),
})

/** Which issues and sections a reader has read, and where they stopped. */
export const readingState = pgTable(
  'reading_state',
  {
    userId: userId(),
    ...itemColumns(),
    /** The earliest time. */
    readAt: instant('read_at').notNull(),
    /** The section of an issue that was last in view, and when. */
    position: text('position'),
    positionAt: instant('position_at'),
    /** When the reader first reached the end of an issue. */
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('reading_state_continue_idx')
      .on(t.userId, t.positionAt.desc())
      .where(sql`${t.finishedAt} is null and ${t.positionAt} is not null`),
  ],
)

/** Items that a reader is trying or has answered about: one row per reader and item. The answer with the newest `at` wins. */
export const tries = pgTable(
  'tries',
  {
    userId: userId(),
    /** `section` or `prompt`. */
    kind: text('kind').$type<TriedKind>().notNull(),
    itemId: text('item_id').notNull(),
    /** When the reader first copied it, asked for a reminder, or answered. */
    startedAt: instant('started_at').notNull(),
    /** One of `tryOutcomes`; null before the first answer, and once it is removed. */
    outcome: text('outcome').$type<TryOutcome>(),
    minutesPerWeek: integer('minutes_per_week'),
    /** Plain text. */
    note: text('note').notNull().default(''),
    /** Since when the publisher may read the note; null if it's private. */
    sharedAt: instant('shared_at'),
    /** Time of the answer; null without one. */
    answeredAt: instant('answered_at'),
    /** Answers given until then don't count, even if they arrive later. */
    removedAt: instant('removed_at'),
    /** The outcome that `try_totals` includes; null if it includes none. */
    countedOutcome: text('counted_outcome'),
    /** When the reader was asked how it went. Each item is asked about once. */
    askedAt: instant('asked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('tries_item_idx').on(t.kind, t.itemId, t.countedOutcome),
    // Few rows per item, because they are counted as soon as there are enough.
    index('tries_uncounted_idx').on(t.kind, t.itemId).where(sql`outcome is distinct from counted_outcome`),
    index('tries_due_idx').on(t.startedAt).where(sql`answered_at is null and removed_at is null and asked_at is null`),
    index('tries_shared_idx').on(t.sharedAt.desc()).where(sql`shared_at is not null`),
  ],
)

/** The last answer of each day, so that a later change doesn't alter what earlier weeks were worth. */
export const tryDays = pgTable(
  'try_days',
  {
    userId: userId(),
    kind: text('kind').$type<TriedKind>().notNull(),
    itemId: text('item_id').notNull(),
    /** In the publication's time zone at the time of the answer. */
    day: date('day', { mode: 'string' }).notNull(),
    at: instant('at').notNull(),
    outcome: text('outcome').$type<TryOutcome>().notNull(),
    minutesPerWeek: integer('minutes_per_week'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.day] }),
    foreignKey({
      columns: [t.userId, t.kind, t.itemId],
      foreignColumns: [tries.userId, tries.kind, tries.itemId],
    }).onDelete('cascade'),
  ],
)

/** Published answers per item. They change only when the answers of at least five readers do. */
export const tryTotals = pgTable(
  'try_totals',
  {
    kind: text('kind').$type<TriedKind>().notNull(),
    itemId: text('item_id').notNull(),
    worked: integer('worked').notNull().default(0),
    workedWithChanges: integer('worked_with_changes').notNull().default(0),
    didNotWork: integer('did_not_work').notNull().default(0),
    /** Counted readers who have since deleted their account. */
    gone: integer('gone').notNull().default(0),
    /** For the publisher; null below five answers. */
    breakdown: jsonb('breakdown').$type<TryBreakdown>(),
    countedAt: instant('counted_at'),
  },
  (t) => [primaryKey({ columns: [t.kind, t.itemId] })],
)

/** The hourly wage that a reader enters for the value page. */
export const readerWage = pgTable('reader_wage', {
  userId: userId().primaryKey(),
  /** Per hour, in the currency of our plans; null once removed. */
  cents: integer('cents'),
  at: instant('at').notNull(),
})

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

/** A member's first week in the portal. What else they did is in the tables of those features. */
export const firstWeek = pgTable('first_week', {
  userId: userId().primaryKey(),
  /** When they first opened the weekly drops. */
  startedAt: instant('started_at').notNull(),
  /** When they opened the start page. */
  startPageAt: instant('start_page_at'),
  /** When they dismissed the checklist. */
  dismissedAt: instant('dismissed_at'),
})

/** Links with which a member shows one section or prompt to staff. Deleted when they are ended. */
export const shareLinks = pgTable(
  'share_links',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    /** SHA-256 of the token in the link, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    kind: text('kind').$type<ShareableKind>().notNull(),
    /** Of a section or prompt; the month of a receipt. */
    itemId: text('item_id').notNull(),
    /** True if the page names the member's business. */
    showsBusiness: boolean('shows_business').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('share_links_user_id_created_at_idx').on(t.userId, t.createdAt.desc())],
)

/** What readers write under drops; on their screens it is an answer. `parentId` is set for a reply, whose parent has none. */
export const comment = pgTable(
  'comment',
  {
    id: uuid('id').primaryKey(),
    issueId: text('issue_id').notNull(),
    parentId: uuid('parent_id'),
    /** Null once the account is gone, and for imported ones of people without an account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Markdown; empty once it is deleted. */
    text: text('text').notNull(),
    state: text('state').$type<CommentState>().notNull(),
    /** True while the staff has to look at it: held, reported, or a question without an answer. */
    waits: boolean('waits').notNull().default(false),
    isEditor: boolean('is_editor').notNull().default(false),
    isQuestion: boolean('is_question').notNull().default(false),
    /** True for a question with a visible reply by the editor. */
    isAnswered: boolean('is_answered').notNull().default(false),
    /** Count of the marks. */
    helpful: integer('helpful').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** Since when others see it; null before. */
    publishedAt: instant('published_at'),
    editedAt: instant('edited_at'),
    /** When the parent's author was emailed about this reply, or skipped. Null until then. */
    toldAt: instant('told_at'),
  },
  (t) => [
    index('comment_thread_idx').on(t.issueId, t.parentId, t.state),
    index('comment_parent_id_idx').on(t.parentId, t.createdAt, t.id),
    index('comment_user_id_idx').on(t.userId, t.createdAt),
    index('comment_created_at_idx').on(t.createdAt.desc(), t.id.desc()),
    index('comment_untold_idx')
      .on(t.publishedAt)
      .where(sql`told_at is null and parent_id is not null and state = 'visible'`),
    index('comment_waits_idx').on(t.isQuestion.desc(), t.createdAt, t.id).where(sql`waits`),
  ],
)

/** What someone shows beside their answers. */
export const commentAuthor = pgTable('comment_author', {
  userId: userId().primaryKey(),
  name: text('name').notNull(),
  chosenAt: instant('chosen_at').notNull(),
  /** Since when the staff keeps them from writing. */
  suspendedAt: instant('suspended_at'),
})

/** Answers that someone finds helpful or reported, once each. */
export const commentMark = pgTable(
  'comment_mark',
  {
    commentId: partOf('comment_id', () => comment.id),
    userId: userId(),
    kind: text('kind').$type<'helpful' | 'report'>().notNull(),
    /** Why it was reported. */
    reason: text('reason').notNull().default(''),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.commentId, t.userId, t.kind] }), index('comment_mark_user_id_idx').on(t.userId)],
)
