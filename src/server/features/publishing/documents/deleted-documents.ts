import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { contentDocument, contentRevision, contentSchedule, guideFile } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, readEditorLabel, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { DeletedDocument } from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { isScheduleOf } from './document-schedule.ts'
import { deleteDropEmails } from './drop-email.ts'
import { recordRevision } from './revisions.ts'
import { auditObjectOf, type DocumentKey, type DocumentRow, hasBeenPublished, isDocument } from './stored-document.ts'

type CleanupDeps = Pick<Deps, 'database' | 'clock'>

/** A deleted draft can be restored for this long. */
const keptDays = 30

/**
 * Deletes those of the documents that are drafts, in one transaction. Their last texts and earlier versions are kept as
 * revisions, so that they can be restored. Anything that was published stays, since emails and links lead to it.
 * @returns their ids
 */
export async function deleteDocuments(
  { database, clock }: CleanupDeps,
  editor: Editor,
  { kind, ids }: { kind: DocumentKind; ids: readonly string[] },
): Promise<{ deleted: string[] }> {
  return database.db.transaction(async (tx) => {
    const deleted: string[] = []
    for (const id of [...new Set(ids)].sort()) {
      const [row] = await tx.select().from(contentDocument).where(isDocument({ kind, id })).for('update')
      if (!row || (await hasBeenPublished(tx, { kind, id }))) continue
      await deleteDraft(tx, editor, row, clock())
      deleted.push(id)
    }
    return { deleted }
  })
}

async function deleteDraft(tx: Tx, editor: Editor, row: DocumentRow, now: Date) {
  const name = { kind: row.kind as DocumentKind, id: row.id }
  await recordRevision(tx, { ...row, updatedAt: now, ...updatedBy(editor) }, 'deleted', row)
  await tx.delete(contentSchedule).where(isScheduleOf(name))
  if (name.kind === 'issue') await deleteDropEmails(tx, name.id)
  await tx.delete(contentDocument).where(isDocument(name))
  await recordAdminEvent(tx, editor, { event: 'content_deleted', object: auditObjectOf(row), now })
}

/** Restores deleted drafts as they were, without their schedule and email. A second call changes nothing. */
export async function restoreDocuments(
  { database, clock }: CleanupDeps,
  editor: Editor,
  { kind, ids }: { kind: DocumentKind; ids: readonly string[] },
): Promise<{ restored: string[] }> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    const restored: string[] = []
    for (const id of [...new Set(ids)].sort()) {
      const last = await readLastRevision(tx, { kind, id })
      if (last?.reason !== 'deleted') continue
      const [row] = await tx
        .insert(contentDocument)
        .values({
          kind,
          id,
          document: last.document,
          version: last.version + 1,
          editedInAdmin: true,
          createdAt: now,
          updatedAt: now,
          ...updatedBy(editor),
        })
        .onConflictDoNothing()
        .returning()
      if (!row) continue
      await recordRevision(tx, row, 'restored', row)
      await recordAdminEvent(tx, editor, { event: 'content_undeleted', object: auditObjectOf(row), now })
      restored.push(id)
    }
    return { restored }
  })
}

async function readLastRevision(tx: Tx, { kind, id }: DocumentKey) {
  const [row] = await tx
    .select()
    .from(contentRevision)
    .where(and(eq(contentRevision.kind, kind), eq(contentRevision.id, id)))
    .orderBy(desc(contentRevision.revision))
    .limit(1)
  return row
}

/** Returns true if a deleted draft still has revisions under this id, which a new document must not take over. */
export const isIdOfDeleted = async (tx: Tx, { kind, id }: DocumentKey): Promise<boolean> =>
  (await tx.$count(contentRevision, and(eq(contentRevision.kind, kind), eq(contentRevision.id, id)))) > 0

const hasNoDocument = sql`not exists (
  select 1 from content_document d where d.kind = ${contentRevision.kind} and d.id = ${contentRevision.id})`

/** Drafts that can be restored, newest first. */
export async function listDeletedDocuments(db: Db, kind: DocumentKind): Promise<DeletedDocument[]> {
  const rows = await db
    .select()
    .from(contentRevision)
    .where(and(eq(contentRevision.kind, kind), eq(contentRevision.reason, 'deleted'), hasNoDocument))
    .orderBy(desc(contentRevision.revision))
    .limit(200)
  const latest = [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].reverse()
  return Promise.all(
    latest.map(async (row) => ({
      id: row.id,
      title: auditObjectOf({ ...row, id: 'Untitled' }).name,
      deletedAt: row.createdAt.toISOString(),
      deletedBy: await readEditorLabel(db, row.createdBy, row.createdById),
    })),
  )
}

const keysSchema = z.array(z.object({ kind: z.string(), id: z.string() }))

/** Deletes what is left of drafts that were deleted long ago. */
export async function purgeDeletedDocuments({ database, clock }: CleanupDeps): Promise<void> {
  const before = new Date(clock().getTime() - keptDays * 24 * 3_600_000)
  await database.db.transaction(async (tx) => {
    const purged = keysSchema.parse(
      await queryRows(
        tx,
        sql`select distinct kind, id from content_revision where ${and(
          eq(contentRevision.reason, 'deleted'),
          lt(contentRevision.createdAt, before),
          hasNoDocument,
        )}`,
      ),
    )
    for (const { kind, id } of purged) {
      await tx.delete(contentRevision).where(and(eq(contentRevision.kind, kind), eq(contentRevision.id, id)))
      if (kind === 'guide') await tx.delete(guideFile).where(eq(guideFile.guideId, id))
    }
  })
}
