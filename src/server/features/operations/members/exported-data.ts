import { asc } from 'drizzle-orm'
import { memberNotes, memberTags } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  tags: ownRows(memberTags.userId, { tag: memberTags.tag, addedAt: memberTags.addedAt }, asc(memberTags.tag)),
  /** Leaves out the authors, who are other people. */
  staffNotes: ownRows(
    memberNotes.userId,
    { text: memberNotes.text, createdAt: memberNotes.createdAt, updatedAt: memberNotes.updatedAt },
    asc(memberNotes.createdAt),
    asc(memberNotes.id),
  ),
}
