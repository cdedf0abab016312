import { desc, eq, getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '#server/db/database.ts'
import {
  apiKeys,
  contentBlock,
  contentDocument,
  contentRevision,
  contentSchedule,
  guideFile,
  mailings,
  mediaImage,
  publicationSettings,
  publicationSettingVersions,
  segments,
  sitePage,
} from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

type EditedTable = { editorId: PgColumn; columns: { at: PgColumn } & Record<string, PgColumn> }

/** Tables that name an editor, with what identifies a row and when it was edited. */
const editedTables: Record<string, EditedTable> = {
  documents: {
    editorId: contentDocument.updatedById,
    columns: { kind: contentDocument.kind, id: contentDocument.id, at: contentDocument.updatedAt },
  },
  revisions: {
    editorId: contentRevision.createdById,
    columns: {
      kind: contentRevision.kind,
      id: contentRevision.id,
      reason: contentRevision.reason,
      at: contentRevision.createdAt,
    },
  },
  scheduled: {
    editorId: contentSchedule.createdById,
    columns: { kind: contentSchedule.kind, id: contentSchedule.id, at: contentSchedule.createdAt },
  },
  blocks: {
    editorId: contentBlock.updatedById,
    columns: { id: contentBlock.id, at: contentBlock.updatedAt },
  },
  pages: {
    editorId: sitePage.updatedById,
    columns: { path: sitePage.path, at: sitePage.updatedAt },
  },
  images: {
    editorId: mediaImage.createdById,
    columns: { name: mediaImage.originalName, at: mediaImage.createdAt },
  },
  guideFiles: {
    editorId: guideFile.createdById,
    columns: { name: guideFile.name, at: guideFile.createdAt },
  },
  mailings: {
    editorId: mailings.createdById,
    columns: { subject: mailings.subject, at: mailings.createdAt },
  },
  apiKeys: {
    editorId: apiKeys.createdById,
    columns: { name: apiKeys.name, at: apiKeys.createdAt },
  },
  segments: {
    editorId: segments.createdById,
    columns: { name: segments.name, at: segments.createdAt },
  },
  settings: {
    editorId: publicationSettings.updatedById,
    columns: { name: publicationSettings.name, at: publicationSettings.updatedAt },
  },
  settingVersions: {
    editorId: publicationSettingVersions.createdById,
    columns: { name: publicationSettingVersions.name, at: publicationSettingVersions.createdAt },
  },
}

export const exportedData: ExportParts = {
  editorialWork: {
    tables: Object.values(editedTables).map(({ editorId }) => `public.${getTableName(editorId.table)}`),
    read: readEditorialWork,
  },
}

/** Titles of what an editor created or changed: the content belongs to the publication. Null for everyone else. */
async function readEditorialWork(tx: Tx, userId: string) {
  const work: Record<string, object[]> = {}
  for (const [name, { editorId, columns }] of Object.entries(editedTables)) {
    work[name] = await tx.select(columns).from(editorId.table).where(eq(editorId, userId)).orderBy(desc(columns.at))
  }
  return Object.values(work).some((rows) => rows.length > 0) ? work : null
}
