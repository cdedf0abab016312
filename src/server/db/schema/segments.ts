import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Groups of readers that the publisher put together by hand. */
export const segments = pgTable('segments', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  createdAt: instant('created_at').notNull(),
  createdBy: text('created_by'),
  createdById: uuid('created_by_id'),
})

export const segmentMembers = pgTable(
  'segment_members',
  {
    segmentId: uuid('segment_id')
      .notNull()
      .references(() => segments.id, { onDelete: 'cascade' }),
    userId: userId(),
    addedAt: instant('added_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.segmentId, t.userId] }), index('segment_members_user_id_idx').on(t.userId)],
)
