import { and, desc, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { archives } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, editorLabel, readEditorLabel } from '#server/features/identity/auth/security/editor.ts'
import { createPartWriter, deleteParts } from '#server/media/parts.ts'
import type { Archive, archiveStatuses } from '#shared/contracts/operations/archives.ts'
import { AppError } from '#shared/errors.ts'
import { type ArchiveDeps, writeArchive } from './write-archive.ts'

type Row = typeof archives.$inferSelect

/** The file is deleted a day after it was written. */
const keptMs = 24 * 60 * 60_000
/** A node that hasn't reported for this long has stopped. */
const heartbeatMs = 5 * 60_000
/** After that the job queue has given up as well. */
const abandonedMs = 2 * 60 * 60_000
const reportMs = 1_000
const listed = 10

export const buildArchiveJob = { name: 'build-archive', payload: z.object({ id: z.uuid() }), retryLimit: 3 }

const toWire = ({ status, createdAt, finishedAt, ...row }: Row): Archive => ({
  ...row,
  status: status as (typeof archiveStatuses)[number],
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  expiresAt: status === 'ready' && finishedAt ? new Date(finishedAt.getTime() + keptMs).toISOString() : null,
})

export async function listArchives({ database }: Pick<Deps, 'database'>): Promise<Archive[]> {
  const rows = await database.db
    .select({ ...getTableColumns(archives), createdBy: editorLabel(archives.createdBy, archives.createdById) })
    .from(archives)
    .orderBy(desc(archives.createdAt), archives.id)
    .limit(listed)
  return rows.map(toWire)
}

/** Starts an archive. A second click, or a second owner, gets the one that is being built. */
export async function requestArchive(
  { database, clock, enqueue }: Pick<Deps, 'database' | 'clock' | 'enqueue'>,
  actor: Actor,
): Promise<Archive> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    const [row] = await tx
      .insert(archives)
      .values({ id: crypto.randomUUID(), status: 'queued', createdAt: now, ...createdBy(actor) })
      .onConflictDoNothing()
      .returning()
    if (!row) {
      const [open] = await tx
        .select()
        .from(archives)
        .where(inArray(archives.status, ['queued', 'building']))
      if (!open) throw new AppError('conflict')
      return toWire({ ...open, createdBy: await readEditorLabel(tx, open.createdBy, open.createdById) })
    }
    await enqueue(tx, buildArchiveJob, { id: row.id })
    await recordAdminEvent(tx, actor, { event: 'archive_requested', now })
    return toWire({ ...row, createdBy: actor.email })
  })
}

/** Builds a queued archive, or one whose node stopped. Does nothing while another node builds it. */
export async function buildArchive(deps: ArchiveDeps, id: string): Promise<void> {
  const { database, clock, store } = deps
  const isStale = lt(archives.heartbeatAt, new Date(clock().getTime() - heartbeatMs))
  const [claimed] = await database.db
    .update(archives)
    .set({ status: 'building', heartbeatAt: clock(), done: 0 })
    .where(and(eq(archives.id, id), or(eq(archives.status, 'queued'), and(eq(archives.status, 'building'), isStale))))
    .returning()
  if (!claimed) return
  const { output, result } = createPartWriter(store, id)
  const progress = reportProgress(deps, id)
  try {
    const { missing } = await writeArchive(deps, output, { report: progress.report })
    await progress.stop()
    await database.db
      .update(archives)
      .set({ ...result(), missing, status: 'ready', finishedAt: clock() })
      .where(eq(archives.id, id))
  } catch (error) {
    await progress.stop()
    await deleteParts(store, id, result().parts + 1)
    await database.db.update(archives).set({ status: 'failed', finishedAt: clock() }).where(eq(archives.id, id))
    throw error
  }
}

/**
 * Writes the progress at most once a second, without waiting: PGlite runs the update only after the transaction in which
 * the archive is read.
 */
function reportProgress({ database, clock }: Pick<Deps, 'database' | 'clock'>, id: string) {
  let latest = { done: 0, total: 0 }
  let pending: Promise<unknown> = Promise.resolve()
  let isWriting = false
  const write = () => {
    if (isWriting) return
    isWriting = true
    pending = database.db
      .update(archives)
      .set({ ...latest, heartbeatAt: clock() })
      .where(eq(archives.id, id))
      .catch(() => {})
      .finally(() => {
        isWriting = false
      })
  }
  const timer = setInterval(write, reportMs)
  return {
    report: (done: number, total: number) => {
      latest = { done, total }
    },
    async stop() {
      clearInterval(timer)
      await pending
      write()
      await pending
    },
  }
}

/** @throws AppError not_found unless its file can be downloaded */
export async function findReadyArchive(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  id: string,
): Promise<Row> {
  const [row] = await database.db
    .select()
    .from(archives)
    .where(and(eq(archives.id, id), eq(archives.status, 'ready')))
  if (!row?.finishedAt || row.finishedAt.getTime() + keptMs <= clock().getTime()) throw new AppError('not_found')
  return row
}

/** @throws AppError not_found */
export async function deleteArchive(deps: Pick<Deps, 'database' | 'clock' | 'store'>, actor: Actor, id: string) {
  const row = await findReadyArchive(deps, id)
  await deleteParts(deps.store, id, row.parts)
  await deps.database.db.transaction(async (tx) => {
    await tx.update(archives).set({ status: 'deleted' }).where(eq(archives.id, id))
    await recordAdminEvent(tx, actor, { event: 'archive_deleted', now: deps.clock() })
  })
}

/** Deletes files that are a day old, and gives up archives that no node builds any more, so that a new one can start. */
export async function deleteExpiredArchives({ database, clock, store }: Pick<Deps, 'database' | 'clock' | 'store'>) {
  const { db } = database
  const expired = await db
    .select()
    .from(archives)
    .where(and(eq(archives.status, 'ready'), lt(archives.finishedAt, new Date(clock().getTime() - keptMs))))
  for (const { id, parts } of expired) {
    await deleteParts(store, id, parts)
    await db.update(archives).set({ status: 'deleted' }).where(eq(archives.id, id))
  }
  const lastSeen = sql`coalesce(${archives.heartbeatAt}, ${archives.createdAt})`
  await db
    .update(archives)
    .set({ status: 'failed', finishedAt: clock() })
    .where(
      and(
        inArray(archives.status, ['queued', 'building']),
        sql`${lastSeen} < ${new Date(clock().getTime() - abandonedMs).toISOString()}::timestamptz`,
      ),
    )
}
