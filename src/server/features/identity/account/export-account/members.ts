import { asc, eq } from 'drizzle-orm'
import { memberTags } from '#server/db/schema/index.ts'
import type { ExportParts } from './export-part.ts'

export const memberParts: ExportParts = {
  tags: {
    tables: ['public.member_tags'],
    read: (tx, userId) =>
      tx
        .select({ tag: memberTags.tag, addedAt: memberTags.addedAt })
        .from(memberTags)
        .where(eq(memberTags.userId, userId))
        .orderBy(asc(memberTags.tag)),
  },
}
