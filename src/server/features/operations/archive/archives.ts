import { and, desc, eq, getTableColumns, inArray, lt } from 'drizzle-orm'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { archives } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, editorLabel, readEditorLabel } from '#server/features/identity/auth/security/editor.ts'
import { isStaffSession } from '#server/features/identity/auth/sessions/require-staff-session.ts'
import { downloadClaims, openDownload, sealDownload } from '#server/features/identity/auth/sessions/staff-download.ts'
import type { AppEnv, Caller } from '#server/http/principal.ts'
import { defineRunKind, type Run, RunMoved } from '#server/jobs/runs.ts'
import { createPartWriter, deleteParts, readParts } from '#server/media/parts.ts'
import { type Archive, adminArchiveLinkCall, type archiveStatuses } from '#shared/contracts/operations/archives.ts'
import { AppError } from '#shared/errors.ts'
import { type ArchiveDeps, writeArchive } from './write-archive.ts'

type Row = typeof archives.$inferSelect

/** The file is deleted a day after it was written. */
const keptMs = 24 * 60 * 60_000
const reportMs = 1_000
const listed = 10

export const archiveRun = defineRunKind({
  name: 'run-archive',
  table: archives,
  openStatuses: ['queued', 'building'],
  // PGlite reports nothing during the transaction in which the archive is read.
  heartbeatSeconds: 5 * 60,
})

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
        .where(inArray(archives.status, [...archiveRun.openStatuses]))
      if (!open) throw new AppError('conflict')
      return toWire({ ...open, createdBy: await readEditorLabel(tx, open.createdBy, open.createdById) })
    }
    await enqueue(tx, archiveRun, { id: row.id })
    await recordAdminEvent(tx, actor, { event: 'archive_requested', now })
    return toWire({ ...row, createdBy: actor.email })
  })
}

/** An archive is built in one step, which starts from the beginning if its process dies. */
export const archiveSteps = (deps: ArchiveDeps): Run<typeof archives> => ({
  kind: archiveRun,
  step: async ({ row: { id }, commit }) => {
    const { clock, store } = deps
    await commit(async () => ({ status: 'building', done: 0 }))
    const { output, result } = createPartWriter(store, id)
    const progress = reportProgress(deps, id)
    try {
      const { missing } = await writeArchive(deps, output, { report: progress.report })
      await progress.stop()
      await commit(async () => ({ ...result(), missing, status: 'ready', finishedAt: clock() }))
    } catch (error) {
      await progress.stop()
      // Without the lease another node would write the same parts.
      if (!(error instanceof RunMoved)) await deleteParts(store, id, result().parts + 1)
      throw error
    }
  },
  failed: () => ({ status: 'failed', finishedAt: deps.clock() }),
})

/**
 * Writes the progress at most once a second, without waiting: PGlite runs the update only after the transaction in which
 * the archive is read.
 */
function reportProgress({ database }: Pick<Deps, 'database'>, id: string) {
  let latest = { done: 0, total: 0 }
  let pending: Promise<unknown> = Promise.resolve()
  let isWriting = false
  const write = () => {
    if (isWriting) return
    isWriting = true
    pending = database.db
      .update(archives)
      .set(latest)
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
async function findReadyArchive({ database, clock }: Pick<Deps, 'database' | 'clock'>, id: string): Promise<Row> {
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

/** Deletes files that are a day old. */
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
}

type DownloadDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'store'>

const purpose = 'archive download'
const link = { purpose, schema: z.object({ id: z.uuid(), ...downloadClaims }), roles: adminArchiveLinkCall.roles }

/**
 * A link that works without a bearer token. It is sealed and ends with the owner's session or role.
 * @throws AppError not_found
 */
export async function createArchiveLink(deps: DownloadDeps, who: Caller, id: string): Promise<{ url: string }> {
  await findReadyArchive(deps, id)
  const { config, clock, database } = deps
  await recordAdminEvent(database.db, who, { event: 'archive_downloaded', now: clock() })
  return { url: `${config.publicUrl}/archives/${sealDownload(deps, purpose, { id, sessionId: who.sessionId })}` }
}

export const archiveRoutes = (deps: DownloadDeps) =>
  new Hono<AppEnv>().get('/archives/:token', async (c) => {
    const { id, sessionId } = await openDownload(deps, link, c.req.param('token'))
    const archive = await findReadyArchive(deps, id)
    const day = archive.createdAt.toISOString().slice(0, 10)
    c.header('Content-Type', 'application/zip')
    c.header('Content-Length', String(archive.bytes))
    c.header('Content-Disposition', `attachment; filename="archive-${day}.zip"`)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return stream(c, async (out) => {
      for await (const chunk of readParts(deps.store, id, archive.parts)) {
        // The announced length isn't reached then, so the browser reports a failed download.
        if (out.aborted || !(await isStaffSession(deps, sessionId, adminArchiveLinkCall.roles))) return
        await out.write(chunk as Uint8Array)
      }
    })
  })
