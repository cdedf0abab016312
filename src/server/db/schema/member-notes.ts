import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

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
