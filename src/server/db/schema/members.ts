import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth.ts'
import { created, instant, partOf } from './columns.ts'

/** Words that staff put on members, to find them again. */
export const memberTags = pgTable(
  'member_tags',
  {
    userId: userId(),
    /** The tag, normalized by `memberTagSchema`. */
    tag: text('tag').notNull(),
    /** When the member joined, in microseconds since 1970, so that a tag's members are read newest first from one index. */
    joinedMicros: bigint('joined_micros', { mode: 'number' }).notNull(),
    addedAt: instant('added_at').notNull(),
    addedBy: text('added_by'),
    addedById: uuid('added_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.tag] }),
    index('member_tags_tag_joined_idx').on(t.tag, t.joinedMicros.desc(), t.userId.desc()),
  ],
)

/** Filters of the members list that staff saved under a name. */
export const memberViews = pgTable('member_views', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  /** What `memberFilterSchema` parses. */
  filter: jsonb('filter').notNull(),
  ...created(),
  updatedAt: instant('updated_at').notNull(),
})

/** Changes of many members at once, by `BulkAction`. */
export const bulkActions = pgTable(
  'bulk_actions',
  {
    /** Chosen by the client, so that a second click starts nothing. */
    id: uuid('id').primaryKey(),
    action: jsonb('action').notNull(),
    /** The filter in words, or how many were selected. */
    selection: text('selection').notNull(),
    /** `running`, `finished`, `stopped`, `undoing` or `undone`. */
    status: text('status').notNull(),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    /** Members that were changed and not restored. */
    changed: integer('changed').notNull().default(0),
    ...created(),
    /** Who undid it last. */
    undoneBy: text('undone_by'),
    undoneById: uuid('undone_by_id'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('bulk_actions_created_at_idx').on(t.createdAt, t.id),
    index('bulk_actions_open_idx').on(t.status).where(sql`status in ('running', 'undoing')`),
  ],
)

/** The members of a bulk action, frozen at its start. */
export const bulkActionMembers = pgTable(
  'bulk_action_members',
  {
    actionId: partOf('action_id', () => bulkActions.id),
    userId: userId(),
    /** Null until their turn, then `changed`, `unchanged`, `undone` or `kept`. */
    outcome: text('outcome'),
  },
  (t) => [
    primaryKey({ columns: [t.actionId, t.userId] }),
    index('bulk_action_members_open_idx').on(t.actionId, t.userId).where(sql`outcome is null`),
    index('bulk_action_members_user_id_idx').on(t.userId),
  ],
)

/**
 * Facts that the members list filters by: one row per account, copied by triggers from the tables named at each group.
 * States depend on the time, so the row has instants only.
 */
export const memberFacts = pgTable(
  'member_facts',
  {
    userId: userId().primaryKey(),
    createdAt: instant('created_at').notNull(),
    /** `createdAt` in microseconds since 1970. */
    joinedMicros: bigint('joined_micros', { mode: 'number' }).notNull(),
    /** Address and name as `foldName` folds them, for the search. */
    search: text('search').notNull(),
    emailConfirmed: boolean('email_confirmed').notNull(),
    disabledUntil: instant('disabled_until'),
    lastSignedInAt: instant('last_signed_in_at'),
    /** From `subscription_state`; null without a plan now or before. */
    planStatus: text('plan_status'),
    productId: text('product_id'),
    /** When the plan's access ends; `-infinity` once Stripe ended the plan. */
    planUntil: instant('plan_until'),
    /** `infinity` without a renewal. */
    renewsAt: instant('renews_at').notNull(),
    /** From the plan of the team's owner. */
    seatProductId: text('seat_product_id'),
    seatUntil: instant('seat_until'),
    complimentaryUntil: instant('complimentary_until'),
    /** From `user_preferences`: focus areas, goals and AI level, each with a prefix. */
    answers: text('answers').array().notNull().default([]),
    franchiseType: text('franchise_type'),
    locations: integer('locations').notNull().default(0),
    tags: text('tags').array().notNull().default([]),
    /** From `deliveries`: the newest open and click by a person. */
    lastOpenedAt: instant('last_opened_at'),
    lastClickedAt: instant('last_clicked_at'),
    /** The newest sign-in, open or click; `-infinity` if there was none. */
    lastActiveAt: instant('last_active_at').generatedAlwaysAs(
      sql`coalesce(greatest(last_signed_in_at, last_opened_at, last_clicked_at), '-infinity')`,
    ),
    /** True if a suppression of any stream is live. */
    suppressed: boolean('suppressed').notNull().default(false),
    noted: boolean('noted').notNull().default(false),
    /** All of the above that has few values, so that one index intersects any filters. */
    tokens: text('tokens')
      .array()
      .generatedAlwaysAs(
        sql`member_tokens(answers, tags, franchise_type, plan_status, product_id, seat_until, complimentary_until, disabled_until, locations, email_confirmed, suppressed, noted, last_signed_in_at, last_opened_at, last_clicked_at, created_at, renews_at, plan_until)`,
      ),
    /** From `custom_field_values`. */
    fieldTokens: text('field_tokens').array().notNull().default([]),
  },
  (t) => [
    // One per order of the list.
    index('member_facts_created_at_idx').on(t.createdAt, t.userId),
    index('member_facts_renews_at_idx').on(t.renewsAt, t.userId),
    index('member_facts_last_active_at_idx').on(t.lastActiveAt, t.userId),
    // To read which products there are, and on which days plans lapsed.
    index('member_facts_product_id_idx').on(t.productId).where(sql`plan_status is not null`),
    index('member_facts_lapsed_idx').on(t.planUntil).where(sql`plan_until > '-infinity'`),
    // One index for filters and search intersects both. Without a pending list, which every search would have to read.
    index('member_facts_filter_idx')
      .using('gin', t.tokens, t.search.op('gin_trgm_ops'), t.fieldTokens)
      .with({ fastupdate: false }),
  ],
)

/** Notes of staff about a member. The member's data export includes the text. */
export const memberNotes = pgTable(
  'member_notes',
  {
    /** Chosen by the client, so that a repeated request adds it once. */
    id: uuid('id').primaryKey(),
    userId: userId(),
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Display name of the author. */
    createdBy: text('created_by').notNull(),
    createdById: uuid('created_by_id'),
    updatedAt: instant('updated_at').notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedById: uuid('updated_by_id'),
  },
  (t) => [
    index('member_notes_user_id_created_at_idx').on(t.userId, t.createdAt.desc(), t.id.desc()),
    // For the deletion of an author.
    index('member_notes_created_by_id_idx').on(t.createdById),
    index('member_notes_updated_by_id_idx').on(t.updatedById),
  ],
)
