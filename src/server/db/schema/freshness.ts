import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ItemUse } from '#shared/domain/item-uses.ts'
import { userId } from './auth-users.ts'
import { instant, itemColumns } from './columns.ts'
import { contentItems } from './content-items.ts'

/** The change that each version of an item brought. The first version has no row. */
export const itemChanges = pgTable(
  'item_changes',
  {
    ...itemColumns(),
    version: integer('version').notNull(),
    changedAt: instant('changed_at').notNull(),
    /** In the publisher's words; empty if nothing was entered. */
    note: text('note').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.itemId, t.version] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
  ],
)

/** Which items a reader copied or downloaded. */
export const itemUses = pgTable(
  'item_uses',
  {
    userId: userId(),
    ...itemColumns(),
    use: text('use').$type<ItemUse>().notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.use] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('item_uses_item_idx').on(t.kind, t.itemId),
  ],
)

/** The newest version of an item whose change a reader has dismissed on its page. */
export const seenChanges = pgTable(
  'seen_changes',
  {
    userId: userId(),
    ...itemColumns(),
    version: integer('version').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
  ],
)

/** Which changes a mailing tells a reader about. The status of the delivery says whether it reached them. */
export const emailedChanges = pgTable(
  'emailed_changes',
  {
    userId: userId(),
    ...itemColumns(),
    version: integer('version').notNull(),
    mailingId: uuid('mailing_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.version, t.mailingId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('emailed_changes_mailing_idx').on(t.mailingId, t.userId),
  ],
)
