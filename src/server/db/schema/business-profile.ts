import { boolean, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { LocationVariable, ProfileVariable, Values } from '#shared/domain/business-profile.ts'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** A reader's facts about the business, by variable of `shared/domain/variables.ts`. Private. */
export const businessProfile = pgTable('business_profile', {
  userId: userId().primaryKey(),
  values: jsonb('values').$type<Values<ProfileVariable>>().notNull().default({}),
  updatedAt: instant('updated_at').notNull(),
})

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
