import { desc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  contentBlock,
  contentDocument,
  contentRevision,
  contentSchedule,
  guideFile,
  mailings,
  mediaImage,
  publicationSettings,
  segments,
} from '#server/db/schema/index.ts'
import type { ExportParts } from './export-part.ts'

export const editorialParts: ExportParts = {
  editorialWork: {
    tables: [
      'public.content_document',
      'public.content_revision',
      'public.content_schedule',
      'public.content_block',
      'public.media_image',
      'public.guide_file',
      'public.mailings',
      'public.segments',
      'public.publication_settings',
    ],
    read: readEditorialWork,
  },
}

/** What an editor created or changed, by title: the content belongs to the publication. Null for everyone else. */
async function readEditorialWork(tx: Tx, userId: string) {
  const work = {
    documents: await tx
      .select({ kind: contentDocument.kind, id: contentDocument.id, at: contentDocument.updatedAt })
      .from(contentDocument)
      .where(eq(contentDocument.updatedById, userId)),
    revisions: await tx
      .select({
        kind: contentRevision.kind,
        id: contentRevision.id,
        reason: contentRevision.reason,
        at: contentRevision.createdAt,
      })
      .from(contentRevision)
      .where(eq(contentRevision.createdById, userId))
      .orderBy(desc(contentRevision.revision)),
    scheduled: await tx
      .select({ kind: contentSchedule.kind, id: contentSchedule.id, at: contentSchedule.createdAt })
      .from(contentSchedule)
      .where(eq(contentSchedule.createdById, userId)),
    blocks: await tx
      .select({ id: contentBlock.id, at: contentBlock.updatedAt })
      .from(contentBlock)
      .where(eq(contentBlock.updatedById, userId)),
    images: await tx
      .select({ name: mediaImage.originalName, at: mediaImage.createdAt })
      .from(mediaImage)
      .where(eq(mediaImage.createdById, userId)),
    guideFiles: await tx
      .select({ name: guideFile.name, at: guideFile.createdAt })
      .from(guideFile)
      .where(eq(guideFile.createdById, userId)),
    mailings: await tx
      .select({ subject: mailings.subject, at: mailings.createdAt })
      .from(mailings)
      .where(eq(mailings.createdById, userId)),
    segments: await tx
      .select({ name: segments.name, at: segments.createdAt })
      .from(segments)
      .where(eq(segments.createdById, userId)),
    settings: await tx
      .select({ name: publicationSettings.name, at: publicationSettings.updatedAt })
      .from(publicationSettings)
      .where(eq(publicationSettings.updatedById, userId)),
  }
  return Object.values(work).some((rows) => rows.length > 0) ? work : null
}
