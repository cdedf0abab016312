import { and, asc, count, desc, eq, getTableColumns, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, sqlState, uniqueViolation } from '#server/db/database.ts'
import { postImportItems, postImports } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { csvHeader, csvRow } from '#server/http/csv.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { defineRunKind } from '#server/jobs/runs.ts'
import { createPartWriter, deleteParts, partBytes } from '#server/media/parts.ts'
import {
  type PostImport,
  type PostImportItem,
  postFileLimitBytes,
  type postResults,
  type postSources,
} from '#shared/contracts/operations/post-imports.ts'
import { AppError } from '#shared/errors.ts'

export type PostImportRow = typeof postImports.$inferSelect

type CallDeps = Pick<Deps, 'database' | 'clock' | 'enqueue' | 'store'>

const listed = 5
const pageSize = 50
/** Files that are stored at a time, the one being uploaded included. Older ones can't be started from the page anyway. */
const maxFiles = listed
/** Files are deleted a day after they were uploaded. */
const keptMs = 24 * 60 * 60_000

const maxParts = Math.ceil(postFileLimitBytes / partBytes) + 1
const keptStatuses = ['uploading', 'checked', 'canceled']
export const postImportRun = defineRunKind({
  name: 'run-post-import',
  table: postImports,
  openStatuses: ['checking', 'importing'],
})

export async function listPostImports(db: Db): Promise<PostImport[]> {
  const rows = await db
    .select({ ...getTableColumns(postImports), createdBy: editorLabel(postImports.createdBy, postImports.createdById) })
    .from(postImports)
    .where(ne(postImports.status, 'uploading'))
    .orderBy(desc(postImports.createdAt), asc(postImports.id))
    .limit(listed)
  return withCounts(db, rows)
}

async function withCounts(db: Db, rows: PostImportRow[]): Promise<PostImport[]> {
  const ids = rows.map(({ id }) => id)
  const counted = await db
    .select({ id: postImportItems.importId, result: postImportItems.result, count: count() })
    .from(postImportItems)
    .where(inArray(postImportItems.importId, ids))
    .groupBy(postImportItems.importId, postImportItems.result)
  return rows.map(({ id, fileName, source, status, publish, done, total, problem, createdAt, createdBy: by }) => {
    const of = (result: (typeof postResults)[number]) =>
      counted.find((each) => each.id === id && each.result === result)?.count ?? 0
    return {
      id,
      fileName,
      source: source as (typeof postSources)[number] | null,
      status: status as PostImport['status'],
      publish,
      done,
      total,
      problem,
      createdAt: createdAt.toISOString(),
      createdBy: by,
      counts: {
        new: of('new'),
        known: of('known'),
        imported: of('imported'),
        published: of('published'),
        failed: of('failed'),
      },
    }
  })
}

/** @throws AppError not_found */
async function readPostImport(db: Db, id: string): Promise<PostImport> {
  const rows = await db.select().from(postImports).where(eq(postImports.id, id))
  const [found] = await withCounts(db, rows)
  if (!found) throw new AppError('not_found')
  return found
}

const anotherIsOpen = () =>
  new AppError('conflict', {
    message: 'Another import is being checked or running. Wait until it’s done, or cancel it.',
  })

/**
 * Stores a file in parts, so that it's never in memory as a whole, and has it checked in the background.
 * @throws AppError conflict if another import is open
 */
export async function uploadPosts(
  { database, clock, enqueue, store }: CallDeps,
  actor: Actor,
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
): Promise<PostImport> {
  const { db } = database
  if ((await db.$count(postImports, inArray(postImports.status, [...postImportRun.openStatuses]))) > 0)
    throw anotherIsOpen()
  await deleteSurplusFiles({ database, store })
  const id = crypto.randomUUID()
  // Recorded first, so that the parts are deleted if the node is killed.
  const started = { id, fileName: name || 'posts', status: 'uploading', parts: maxParts, bytes: 0, createdAt: clock() }
  await db.insert(postImports).values({ ...started, ...createdBy(actor) })
  const { output, result } = createPartWriter(store, id)
  try {
    for await (const chunk of bytes) await writeChunk(output, chunk)
    await new Promise<void>((resolve, reject) => output.on('error', reject).end(resolve))
    const stored = result()
    const now = clock()
    await db.transaction(async (tx) => {
      const { parts, bytes: length } = stored
      const [uploaded] = await tx
        .update(postImports)
        .set({ status: 'checking', parts, bytes: length, createdAt: now })
        .where(eq(postImports.id, id))
        .returning({ id: postImports.id })
      // Newer uploads have replaced it.
      if (!uploaded) throw anotherIsOpen()
      await enqueue(tx, postImportRun, { id })
      await recordAdminEvent(tx, actor, { event: 'posts_uploaded', note: name, now })
    })
  } catch (error) {
    await deleteParts(store, id, result().parts + 1)
      .then(() => db.delete(postImports).where(eq(postImports.id, id)))
      .catch(() => {})
    throw sqlState(error) === uniqueViolation ? anotherIsOpen() : error
  }
  return readPostImport(db, id)
}

const writeChunk = (output: NodeJS.WritableStream, chunk: Uint8Array) =>
  new Promise<void>((resolve, reject) =>
    output.write(Buffer.from(chunk), (error?: Error | null) => (error ? reject(error) : resolve())),
  )

/**
 * Starts the import of a checked file, or the rest of one that was canceled.
 * @throws AppError not_found, conflict if another import is open or the file is gone
 */
export async function startPostImport(
  { database, clock, enqueue }: CallDeps,
  actor: Actor,
  { id, publish, siteAddress = null }: { id: string; publish: boolean; siteAddress?: string | null | undefined },
): Promise<PostImport> {
  try {
    await database.db.transaction(async (tx) => {
      const now = clock()
      const [started] = await tx
        .update(postImports)
        .set({ status: 'importing', publish, siteAddress, done: 0, ...createdBy(actor) })
        .where(
          and(eq(postImports.id, id), inArray(postImports.status, ['checked', 'canceled']), gt(postImports.parts, 0)),
        )
        .returning()
      // A second click finds it running.
      if (!started) return
      await enqueue(tx, postImportRun, { id })
      const note = publish ? `${started.fileName}, published` : `${started.fileName}, as drafts`
      await recordAdminEvent(tx, actor, { event: 'posts_import_started', note, now })
    })
  } catch (error) {
    throw sqlState(error) === uniqueViolation ? anotherIsOpen() : error
  }
  return readPostImport(database.db, id)
}

/** @throws AppError not_found */
export async function cancelPostImport({ database, clock }: CallDeps, actor: Actor, id: string): Promise<PostImport> {
  await database.db.transaction(async (tx) => {
    const now = clock()
    const [canceled] = await tx
      .update(postImports)
      .set({ status: 'canceled', finishedAt: now })
      .where(and(eq(postImports.id, id), inArray(postImports.status, ['checking', 'checked', 'importing'])))
      .returning()
    if (canceled) {
      await recordAdminEvent(tx, actor, { event: 'posts_import_canceled', note: canceled.fileName, now })
    }
  })
  return readPostImport(database.db, id)
}

const positionSchema = z.tuple([z.number().int().nonnegative()])

const toItem = ({
  position,
  title,
  result,
  documentId,
  readers,
  notes,
}: typeof postImportItems.$inferSelect): PostImportItem => ({
  position,
  title,
  result: result as PostImportItem['result'],
  documentId,
  readers: readers as PostImportItem['readers'],
  notes,
})

export async function listPostImportItems(db: Db, { id, cursor }: { id: string; cursor?: string | null }) {
  const after = cursor ? decodeCursor(cursor, positionSchema)[0] : -1
  const rows = await db
    .select()
    .from(postImportItems)
    .where(and(eq(postImportItems.importId, id), gt(postImportItems.position, after)))
    .orderBy(asc(postImportItems.position))
    .limit(pageSize + 1)
  const { page, nextCursor } = pageOf(rows, pageSize, (last) => [last.position])
  return { items: page.map(toItem), nextCursor }
}

/** Posts that failed, lost something or were changed. */
export async function reportPostImport(db: Db, id: string): Promise<string> {
  const rows = await db
    .select()
    .from(postImportItems)
    .where(and(eq(postImportItems.importId, id), sql`jsonb_array_length(${postImportItems.notes}) > 0`))
    .orderBy(asc(postImportItems.position))
  const header = csvHeader(['Post', 'Title', 'Result', 'Note'])
  return `${header}${rows
    .flatMap(({ position, title, result, notes }) =>
      notes.map((note) => csvRow([String(position + 1), title, result, note])),
    )
    .join('')}`
}

/** Deletes files that are no longer needed. Which post became which drop is kept. */
export async function deleteOldPostFiles({ database, clock, store }: Pick<Deps, 'database' | 'clock' | 'store'>) {
  const { db } = database
  const isOld = lt(postImports.createdAt, new Date(clock().getTime() - keptMs))
  const isDone = inArray(postImports.status, ['finished', 'failed'])
  const old = await db
    .select()
    .from(postImports)
    .where(and(gt(postImports.parts, 0), or(isDone, and(isOld, inArray(postImports.status, keptStatuses)))))
  await deleteFiles({ database, store }, old)
}

/** Makes room for one more file: the oldest go first. */
async function deleteSurplusFiles({ database, store }: Pick<Deps, 'database' | 'store'>) {
  const surplus = await database.db
    .select()
    .from(postImports)
    .where(and(gt(postImports.parts, 0), inArray(postImports.status, keptStatuses)))
    .orderBy(desc(postImports.createdAt), asc(postImports.id))
    .offset(maxFiles - 1)
  await deleteFiles({ database, store }, surplus)
}

async function deleteFiles({ database: { db }, store }: Pick<Deps, 'database' | 'store'>, rows: PostImportRow[]) {
  for (const { id, parts, status } of rows) {
    await deleteParts(store, id, parts)
    if (status === 'uploading') {
      await db.delete(postImports).where(eq(postImports.id, id))
      continue
    }
    const given = status === 'checked' ? { status: 'canceled' } : {}
    await db
      .update(postImports)
      .set({ parts: 0, ...given })
      .where(eq(postImports.id, id))
  }
}
