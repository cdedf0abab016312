import { integer, pgTable } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Members' own feeds. The address contains the version, so raising it ends the earlier address. */
export const memberFeeds = pgTable('member_feeds', {
  userId: userId().primaryKey(),
  version: integer('version').notNull(),
  changedAt: instant('changed_at').notNull(),
})
