import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentDocument, feedFetch, recording, recordingDownload } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import type { ByteRange } from '#server/http/byte-range.ts'
import type { ObjectStore } from '#server/media/disk-store.ts'
import { recordingKey } from '#server/media/object-key.ts'
import { type ReadBytes, readAudio } from '#server/media/read-audio.ts'
import { recordingPieceBytes as pieceBytes, type Recording } from '#shared/contracts/publishing/recordings.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { formatClock } from '#shared/domain/format-clock.ts'
import { AppError } from '#shared/errors.ts'

type RecordingRow = typeof recording.$inferSelect
type StoredRecording = { id: string; bytes: number }
type WriteDeps = Pick<Deps, 'config' | 'database' | 'store' | 'clock'>

const keptFetchDays = 30

const invalid = (message: string) => new AppError('validation_failed', { message })
const incompleteUpload = () => invalid('Part of the file didn’t arrive. Upload it again.')

/** Keys of the objects that a recording is stored in. */
export const recordingKeys = ({ id, bytes }: StoredRecording): string[] =>
  Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, piece) => recordingKey(id, piece))

/** Reads a range piece by piece. @throws AppError validation_failed if a piece is missing */
export async function* readPieces(store: ObjectStore, { id, bytes }: StoredRecording, { from, to }: ByteRange) {
  for (let piece = Math.floor(from / pieceBytes); piece * pieceBytes < to; piece += 1) {
    const start = piece * pieceBytes
    const read = await store.get(recordingKey(id, piece))
    if (read?.byteLength !== Math.min(pieceBytes, bytes - start)) throw incompleteUpload()
    yield read.subarray(Math.max(0, from - start), to - start)
  }
}

/** Reads at any position and keeps one piece in memory. */
function createReader(store: ObjectStore, file: StoredRecording): ReadBytes {
  let loaded = { piece: -1, bytes: new Uint8Array() }
  const read: ReadBytes = async (from, length) => {
    const [piece, to] = [Math.floor(from / pieceBytes), Math.min(from + length, file.bytes)]
    const [start, end] = [piece * pieceBytes, Math.min((piece + 1) * pieceBytes, file.bytes)]
    if (from >= to) return Buffer.alloc(0)
    if (loaded.piece !== piece)
      for await (const bytes of readPieces(store, file, { from: start, to: end })) loaded = { piece, bytes }
    const found = loaded.bytes.subarray(from - start, to - start)
    return to > end ? Buffer.concat([found, await read(end, to - end)]) : Buffer.from(found)
  }
  return read
}

const isCurrent = (issueId: string) => and(eq(recording.issueId, issueId), eq(recording.status, 'current'))
const toWire = ({ originalName, format, bytes, seconds, starts }: RecordingRow): Recording => ({
  ...{ originalName, format: format as Recording['format'], bytes, seconds, starts },
})

export async function readRecording({ config, database: { db } }: Pick<Deps, 'config' | 'database'>, issueId: string) {
  const [row] = await db.select().from(recording).where(isCurrent(issueId))
  const downloads = await db.$count(recordingDownload, eq(recordingDownload.issueId, issueId))
  return { recording: row ? toWire(row) : null, downloads, limits: config.recordings }
}

/** Locks the drop, so that the later of two uploads stays. @throws AppError not_found */
async function lockDrop(tx: Db | Tx, id: string) {
  const title = sql<string>`coalesce(nullif(${contentDocument.document} ->> 'title', ''), ${contentDocument.id})`
  const isDrop = and(eq(contentDocument.kind, 'issue'), eq(contentDocument.id, id))
  const [row] = await tx.select({ title }).from(contentDocument).where(isDrop).for('update')
  if (!row) throw new AppError('not_found')
  return { kind: 'issue', id, name: row.title } as const
}

type Piece = { id: string; issueId: string; name: string; bytes: number; piece: number }

/**
 * Stores a piece. After the last one, the file is checked, and deleted if it is refused. Pieces can be sent again.
 * @throws AppError not_found, request_entity_too_large, unsupported_file, validation_failed
 */
export async function uploadPiece(deps: WriteDeps, editor: Editor, upload: Piece, body: Uint8Array) {
  const { config, database, store, clock } = deps
  const { id, issueId, name, bytes, piece } = upload
  const maxBytes = config.recordings.bytes
  if (bytes > maxBytes)
    throw new AppError('request_entity_too_large', { message: `A recording can have up to ${maxBytes / 1e6} MB` })
  const left = bytes - piece * pieceBytes
  if (body.byteLength === 0 || body.byteLength !== Math.min(pieceBytes, left)) throw incompleteUpload()
  await lockDrop(database.db, issueId)
  // The row is stored first, so that an upload that never finishes is found and deleted.
  const times = { changedAt: clock(), createdAt: clock() }
  const facts = { id, issueId, status: 'uploading', bytes, originalName: name || 'recording', ...times }
  const row = { ...facts, ...createdBy(editor) }
  await database.db.insert(recording).values(row).onConflictDoNothing()
  const isUpload = and(eq(recording.id, id), eq(recording.issueId, issueId))
  const [known] = await database.db.select().from(recording).where(isUpload)
  // The browser sends the last piece again if the response to it was lost.
  if (known?.status === 'current') return { recording: toWire(known) }
  if (known?.status !== 'uploading' || known.bytes !== bytes) throw new AppError('not_found')
  await store.put(recordingKey(id, piece), body, 'application/octet-stream')
  return { recording: left > pieceBytes ? null : await finish(deps, editor, known) }
}

/** Replaces the drop's recording with a complete upload and keeps the chapters. */
async function finish(deps: WriteDeps, editor: Editor, upload: RecordingRow): Promise<Recording> {
  const facts = await checkFile(deps, upload).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code !== 'file_store_unavailable') await remove(deps, upload)
    throw error
  })
  return deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const object = await lockDrop(tx, upload.issueId)
    const replaced = { status: 'replaced', changedAt: now }
    const [earlier] = await tx.update(recording).set(replaced).where(isCurrent(upload.issueId)).returning()
    const starts = Object.fromEntries(Object.entries(earlier?.starts ?? {}).filter(([, at]) => at < facts.seconds))
    const current = { ...facts, starts, status: 'current', changedAt: now }
    const [row] = await tx.update(recording).set(current).where(eq(recording.id, upload.id)).returning()
    if (!row) throw new AppError('not_found')
    const note = `${row.originalName}, ${formatClock(row.seconds)}`
    await recordAdminEvent(tx, editor, { event: 'recording_uploaded', object, note, now })
    return toWire(row)
  })
}

async function checkFile({ config, store }: WriteDeps, upload: RecordingRow) {
  const { format, seconds } = await readAudio(createReader(store, upload), upload.bytes)
  if (seconds > config.recordings.seconds)
    throw invalid(
      `This recording is ${formatClock(Math.min(seconds, 86_399))} long. It can have up to ${config.recordings.seconds / 3_600} hours. Split it, or upload a shorter one.`,
    )
  return { format, seconds: Math.max(1, Math.round(seconds)) }
}

/** @param starts null deletes the recording. @throws AppError not_found; validation_failed for a start after the end */
export async function changeRecording(
  { database, clock }: WriteDeps,
  editor: Editor,
  { issueId, starts }: { issueId: string; starts: Record<string, number> | null },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const now = clock()
    const object = await lockDrop(tx, issueId)
    const change = { ...(starts ? { starts } : { status: 'replaced' }), changedAt: now }
    const [row] = await tx.update(recording).set(change).where(isCurrent(issueId)).returning()
    if (!row) throw new AppError('not_found')
    if (Object.values(starts ?? {}).some((at) => at >= row.seconds))
      throw invalid(`Chapters must begin before the recording ends, at ${formatClock(row.seconds)}`)
    const event = starts ? 'recording_changed' : 'recording_deleted'
    await recordAdminEvent(tx, editor, { event, object, note: row.originalName, now })
  })
}

async function remove({ database, store }: Pick<Deps, 'database' | 'store'>, row: RecordingRow) {
  for (const key of recordingKeys(row)) await store.delete(key)
  await database.db.delete(recording).where(eq(recording.id, row.id))
}

/**
 * Deletes recordings that were replaced an hour ago, since someone may be listening until then, uploads that weren't finished
 * within a day, and recordings of deleted drafts. Also deletes old fetches of feeds.
 */
export async function deleteUnusedRecordings(deps: Pick<Deps, 'database' | 'store' | 'clock'>): Promise<void> {
  const { db } = deps.database
  const hoursAgo = (hours: number) => new Date(deps.clock().getTime() - hours * hourMs)
  const isLeft = (status: string, hours: number) =>
    and(eq(recording.status, status), lt(recording.changedAt, hoursAgo(hours)))
  const isOrphan = sql`not exists (select 1 from content_document d where d.kind = 'issue' and d.id = ${recording.issueId})
    and not exists (select 1 from content_revision r where r.kind = 'issue' and r.id = ${recording.issueId})`
  const isUnused = or(isLeft('replaced', 1), isLeft('uploading', 24), isOrphan)
  for (const row of await db.select().from(recording).where(isUnused)) await remove(deps, row)
  const firstKeptDay = hoursAgo(keptFetchDays * 24)
    .toISOString()
    .slice(0, 10)
  await db.delete(feedFetch).where(lt(feedFetch.day, firstKeptDay))
}
