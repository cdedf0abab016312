import { boolean, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { ShareableKind } from '#shared/contracts/reader/sharing.ts'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'
import { contentItems } from './content-items.ts'

/** Links with which a member shows one section or prompt to staff. Deleted when they are ended. */
export const shareLinks = pgTable(
  'share_links',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    /** SHA-256 of the token in the link, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    kind: text('kind').$type<ShareableKind>().notNull(),
    itemId: text('item_id').notNull(),
    /** True if the page names the member's business. */
    showsBusiness: boolean('shows_business').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('share_links_user_id_created_at_idx').on(t.userId, t.createdAt.desc()),
  ],
)
