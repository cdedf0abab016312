import { bigint, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Words that staff put on members, to find them again. */
export const memberTags = pgTable(
  'member_tags',
  {
    userId: userId(),
    /** As `memberTagSchema` normalizes it. */
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
