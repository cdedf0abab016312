import { date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ContentKind } from '#shared/domain/content-items.ts'
import { instant } from './columns.ts'

/**
 * Every issue, section, prompt, guide and tool that was ever published. Rows are never deleted, so that tables of
 * readers can reference (kind, id).
 */
export const contentItems = pgTable(
  'content_items',
  {
    kind: text('kind').$type<ContentKind>().notNull(),
    id: text('id').notNull(),
    /** Heading of a section, name of a tool. */
    title: text('title').notNull(),
    /** Path and anchor in the portal. */
    path: text('path').notNull(),
    /** Issue of a section, category of a prompt; null for other kinds. */
    parentId: text('parent_id'),
    publishedAt: instant('published_at').notNull(),
    /** When it was unpublished or removed; null while readers can open it. */
    removedAt: instant('removed_at'),
    /** When its text last changed. */
    changedAt: instant('changed_at').notNull(),
    /** Incremented by every change of its text. */
    version: integer('version').notNull().default(1),
    /** Hash of the text that `version` counts; null until it is first computed. */
    textHash: text('text_hash'),
    /** The day its facts were last checked. */
    checkedOn: date('checked_on', { mode: 'string' }),
    /** The last day it is valid; null if it doesn't expire. */
    validUntil: date('valid_until', { mode: 'string' }),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('content_items_parent_id_kind_idx').on(t.parentId, t.kind)],
)
