import { and, desc, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { contentRevision } from '#server/db/schema/index.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { type DocumentKind, draftSchemas } from '#shared/contracts/publishing/documents.ts'
import type { RevisionText, revisionReasons } from '#shared/contracts/publishing/publishing.ts'
import { AppError } from '#shared/errors.ts'
import type { DocumentKey, DocumentRow } from './stored-document.ts'

type Reason = (typeof revisionReasons)[number]

/** Saves by the same editor within this time share one revision. */
const editingSessionMs = 10 * 60_000

const pageSize = 50
const positionSchema = z.tuple([z.number().int().positive()])

const isOf = ({ kind, id }: DocumentKey) => and(eq(contentRevision.kind, kind), eq(contentRevision.id, id))

/**
 * Records the row as a revision. For the first change to a content file, also records `before`, the text of the file.
 * @param apart always adds a revision, even within an editing session
 */
export async function recordRevision(
  tx: Tx,
  row: DocumentRow,
  reason: Reason,
  before: DocumentRow,
  apart = false,
): Promise<void> {
  const name = { kind: row.kind as DocumentKind, id: row.id }
  const [last] = await tx
    .select()
    .from(contentRevision)
    .where(isOf(name))
    .orderBy(desc(contentRevision.revision))
    .limit(1)
  if (!last && before.updatedBy === null) await insert(tx, before, 'saved')
  const isSameSession =
    !apart &&
    reason === 'saved' &&
    last?.reason === 'saved' &&
    row.updatedById !== null &&
    last.createdById === row.updatedById &&
    row.updatedAt.getTime() - last.createdAt.getTime() < editingSessionMs
  if (!isSameSession) return insert(tx, row, reason)
  await tx
    .update(contentRevision)
    .set({ version: row.version, document: row.document })
    .where(eq(contentRevision.revision, last.revision))
}

async function insert(tx: Tx, row: DocumentRow, reason: Reason) {
  await tx.insert(contentRevision).values({
    kind: row.kind,
    id: row.id,
    version: row.version,
    document: row.document,
    reason,
    createdAt: row.updatedAt,
    createdBy: row.updatedBy,
    createdById: row.updatedById,
  })
}

/** Newest first, without the texts. */
export async function listRevisions(db: Db, { cursor, ...name }: DocumentKey & { cursor?: string | null }) {
  const before = cursor ? decodeCursor(cursor, positionSchema)[0] : null
  const rows = await db
    .select(revisionColumns)
    .from(contentRevision)
    .where(and(isOf(name), before ? lt(contentRevision.revision, before) : undefined))
    .orderBy(desc(contentRevision.revision))
    .limit(pageSize + 1)
  const { page, nextCursor } = pageOf(rows, pageSize, (last) => [last.revision])
  return { items: page.map(toWire), nextCursor }
}

const revisionColumns = {
  revision: contentRevision.revision,
  version: contentRevision.version,
  reason: contentRevision.reason,
  createdAt: contentRevision.createdAt,
  createdBy: editorLabel(contentRevision.createdBy, contentRevision.createdById),
}

const toWire = <Row extends { createdAt: Date; reason: string }>(row: Row) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  reason: row.reason as Reason,
})

/** @throws AppError not_found */
export async function readRevision(
  db: Db | Tx,
  { revision, ...name }: DocumentKey & { revision: number },
): Promise<RevisionText> {
  const [row] = await db
    .select({ ...revisionColumns, document: contentRevision.document, id: contentRevision.id })
    .from(contentRevision)
    .where(and(isOf(name), eq(contentRevision.revision, revision)))
  if (!row) throw new AppError('not_found')
  return { ...toWire(row), kind: name.kind, document: draftSchemas[name.kind].parse(row.document) } as RevisionText
}
