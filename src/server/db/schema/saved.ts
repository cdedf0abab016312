import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant, itemColumns } from './columns.ts'
import { contentItems } from './content-items.ts'

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
