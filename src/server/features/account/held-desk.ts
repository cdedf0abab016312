import { desc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  contentBlock,
  contentDocument,
  contentRevision,
  guideFile,
  mailings,
  mediaImage,
  publicationSettings,
  segments,
  users,
} from '#server/db/schema/index.ts'

/** What an editor's address stands at in the publisher's desk. The texts are the publication's and are only named. */
export const heldDesk = {
  desk: {
    tables: [
      'public.content_document',
      'public.content_revision',
      'public.content_block',
      'public.media_image',
      'public.guide_file',
      'public.mailings',
      'public.segments',
      'public.publication_settings',
    ],
    read: readDesk,
  },
}

/** Null for a reader, who has no place there. */
async function readDesk(tx: Tx, userId: string) {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user?.email) return null
  const { email } = user
  const found = {
    documents: await tx
      .select({ kind: contentDocument.kind, id: contentDocument.id, at: contentDocument.updatedAt })
      .from(contentDocument)
      .where(eq(contentDocument.updatedBy, email)),
    revisions: await tx
      .select({
        kind: contentRevision.kind,
        id: contentRevision.id,
        reason: contentRevision.reason,
        at: contentRevision.createdAt,
      })
      .from(contentRevision)
      .where(eq(contentRevision.createdBy, email))
      .orderBy(desc(contentRevision.revision)),
    blocks: await tx
      .select({ id: contentBlock.id, at: contentBlock.updatedAt })
      .from(contentBlock)
      .where(eq(contentBlock.updatedBy, email)),
    images: await tx
      .select({ name: mediaImage.originalName, at: mediaImage.createdAt })
      .from(mediaImage)
      .where(eq(mediaImage.createdBy, email)),
    guideFiles: await tx
      .select({ name: guideFile.name, at: guideFile.createdAt })
      .from(guideFile)
      .where(eq(guideFile.createdBy, email)),
    mailings: await tx
      .select({ subject: mailings.subject, at: mailings.createdAt })
      .from(mailings)
      .where(eq(mailings.createdBy, email)),
    segments: await tx
      .select({ name: segments.name, at: segments.createdAt })
      .from(segments)
      .where(eq(segments.createdBy, email)),
    settings: await tx
      .select({ name: publicationSettings.name, at: publicationSettings.updatedAt })
      .from(publicationSettings)
      .where(eq(publicationSettings.updatedBy, email)),
  }
  return Object.values(found).some((rows) => rows.length > 0) ? found : null
}
