import { asc, eq } from 'drizzle-orm'
import { memberNotes, memberTags } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  tags: {
    tables: ['public.member_tags'],
    read: (tx, userId) =>
      tx
        .select({ tag: memberTags.tag, addedAt: memberTags.addedAt })
        .from(memberTags)
        .where(eq(memberTags.userId, userId))
        .orderBy(asc(memberTags.tag)),
  },
  /** Leaves out the authors, who are other people. */
  staffNotes: {
    tables: ['public.member_notes'],
    read: (tx, userId) =>
      tx
        .select({ text: memberNotes.text, createdAt: memberNotes.createdAt, updatedAt: memberNotes.updatedAt })
        .from(memberNotes)
        .where(eq(memberNotes.userId, userId))
        .orderBy(asc(memberNotes.createdAt), asc(memberNotes.id)),
  },
}
