import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentDocument, contentSchedule, issues } from '#server/db/schema/index.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry, DocumentState } from '#shared/contracts/publishing/publishing.ts'
import { isListed } from './sample-content.ts'
import { publishedTables } from './stored-document.ts'

export const stateOf = (row: { version: number; publishedVersion: number | null }): DocumentState =>
  row.publishedVersion === null ? 'draft' : row.publishedVersion === row.version ? 'published' : 'changed'

/** All documents of one kind, except removed samples, without their texts, in portal order. Undated issues come first, unpublished others last. */
export async function listContent(db: Db, kind: DocumentKind): Promise<ContentEntry[]> {
  const table = publishedTables[kind]
  const date = sql<string>`coalesce(${contentDocument.document} ->> 'date', '')`
  const order =
    table === issues
      ? [desc(sql`${date} = ''`), desc(date)]
      : [sql`${(table as Exclude<typeof table, typeof issues>).position} nulls last`]
  const rows = await db
    .select({
      id: contentDocument.id,
      title: sql<string>`coalesce(${contentDocument.document} ->> 'title', ${contentDocument.document} ->> 'name', '')`,
      date,
      version: contentDocument.version,
      publishedVersion: contentDocument.publishedVersion,
      hasBeenPublished: sql<boolean>`${table.id} is not null`,
      updatedAt: contentDocument.updatedAt,
      updatedBy: editorLabel(contentDocument.updatedBy, contentDocument.updatedById),
      publishAt: contentSchedule.publishAt,
      publishFailed: sql<boolean>`${contentDocument.publishFailure} is not null`,
    })
    .from(contentDocument)
    .leftJoin(table, eq(table.id, contentDocument.id))
    .leftJoin(
      contentSchedule,
      and(eq(contentSchedule.kind, contentDocument.kind), eq(contentSchedule.id, contentDocument.id)),
    )
    .where(and(eq(contentDocument.kind, kind), isListed))
    .orderBy(...order, asc(contentDocument.createdAt), asc(contentDocument.id))
  return rows.map(({ version, publishedVersion, updatedAt, publishAt, ...row }) => ({
    ...row,
    state: stateOf({ version, publishedVersion }),
    updatedAt: updatedAt.toISOString(),
    scheduledAt: publishAt?.toISOString() ?? null,
  }))
}
