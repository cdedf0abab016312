import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { and, desc, eq, getTableColumns, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { guideFile, guides } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { createDownloadToken } from '#server/features/library/content/download-token.ts'
import { searchableBody } from '#server/features/library/content/search-texts.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { guideKey } from '#server/media/object-key.ts'
import { toSlug } from '#shared/contracts/publishing/documents.ts'
import type { GuideFileVersion } from '#shared/contracts/publishing/publishing-library.ts'
import { AppError } from '#shared/errors.ts'
import { guideFileKind } from './guide-file-kind.ts'
import { auditObjectOf, lockDocument } from './stored-document.ts'

const timeoutMs = 20_000

/**
 * Plain text of an uploaded file, for search. Reads it in a thread of its own, with limits on time and memory, since a
 * broken file must not stop the server. Empty if it can't be read; the upload is fine without.
 */
export function extractGuideText(bytes: Uint8Array): Promise<string> {
  const worker = new Worker(new URL('./entry-read-file.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // The library warns about broken files on the console.
    stdout: true,
    stderr: true,
  })
  return new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(''), timeoutMs)
    worker.once('message', (text: string) => resolve(text))
    worker.once('error', () => resolve(''))
    worker.once('exit', () => {
      clearTimeout(timer)
      resolve('')
    })
  })
    .then((text) => searchableBody(text.replaceAll('\0', '')))
    .finally(() => void worker.terminate())
}

const { text: _text, ...columnsWithoutText } = getTableColumns(guideFile)
type FileRow = Omit<typeof guideFile.$inferSelect, 'text'>

const fileColumns = {
  ...columnsWithoutText,
  createdBy: editorLabel(guideFile.createdBy, guideFile.createdById),
}

const formats: Record<string, string> = { pdf: 'PDF', docx: 'Word', xlsx: 'Excel' }

const toWire = ({ version, name, bytes, createdAt, createdBy }: FileRow): GuideFileVersion => ({
  version,
  name,
  format: formats[name.slice(name.lastIndexOf('.') + 1)] ?? '',
  bytes,
  createdAt: createdAt.toISOString(),
  createdBy,
})

/** Reads the files of guides that were uploaded before search had their text. */
export async function readMissingGuideTexts({
  database,
  store,
  clock,
}: Pick<Deps, 'database' | 'store' | 'clock'>): Promise<void> {
  const missing = await database.db
    .select({ id: guideFile.guideId, version: guideFile.version, hash: guideFile.hash })
    .from(guideFile)
    .innerJoin(guides, and(eq(guides.id, guideFile.guideId), eq(guides.fileVersion, guideFile.version)))
    .where(isNull(guideFile.text))
  for (const { id, version, hash } of missing) {
    const file = await store.get(guideKey(hash))
    const text = file ? await extractGuideText(file) : ''
    await database.db.transaction(async (tx) => {
      await tx
        .update(guideFile)
        .set({ text })
        .where(and(eq(guideFile.guideId, id), eq(guideFile.version, version)))
      await syncContentItems(tx, clock(), { kind: 'guide', id })
    })
  }
}

export async function listGuideFiles(db: Db, guideId: string): Promise<GuideFileVersion[]> {
  const rows = await db
    .select(fileColumns)
    .from(guideFile)
    .where(eq(guideFile.guideId, guideId))
    .orderBy(desc(guideFile.version))
  return rows.map(toWire)
}

/**
 * Saves a new version of a guide's file. Uploading the latest file again creates no version.
 * @throws AppError unsupported_file, file_store_unavailable, not_found
 */
export async function saveGuideFile(
  { database, store, clock }: Pick<Deps, 'database' | 'store' | 'clock'>,
  editor: Editor,
  { id, name, file }: { id: string; name: string; file: Uint8Array },
): Promise<GuideFileVersion> {
  const kind = guideFileKind(file)
  if (!kind)
    throw new AppError('unsupported_file', { message: 'A guide can be a PDF, Word (.docx) or Excel (.xlsx) file' })
  const hash = createHash('sha256').update(file).digest('hex')
  await store.put(guideKey(hash), file, kind.contentType)
  const text = await extractGuideText(file)
  return database.db.transaction(async (tx) => {
    const guide = await lockDocument(tx, { kind: 'guide', id })
    const [last] = await tx
      .select(fileColumns)
      .from(guideFile)
      .where(eq(guideFile.guideId, id))
      .orderBy(desc(guideFile.version))
      .limit(1)
    if (last?.hash === hash) return toWire(last)
    const row: FileRow = {
      guideId: id,
      version: (last?.version ?? 0) + 1,
      hash,
      name: safeName(name, kind),
      contentType: kind.contentType,
      bytes: file.byteLength,
      createdAt: clock(),
      ...createdBy(editor),
    }
    await tx.insert(guideFile).values({ ...row, text })
    const note = `${row.name}, version ${row.version}`
    await recordAdminEvent(tx, editor, {
      event: 'guide_file_uploaded',
      object: auditObjectOf(guide),
      note,
      now: row.createdAt,
    })
    return toWire({ ...row, createdBy: editor.email })
  })
}

/** A name that is safe in headers and on every file system. The extension follows the detected format. */
export const safeName = (given: string, { extension }: { extension: string }, otherwise = 'guide') =>
  `${toSlug(given.replace(/\.[^.]*$/, '')) || otherwise}.${extension}`

/** @throws AppError not_found */
export async function createGuideFileLink(
  deps: Pick<Deps, 'database' | 'config' | 'secrets' | 'clock'>,
  userId: string,
  { id, version }: { id: string; version: number },
) {
  const files = await listGuideFiles(deps.database.db, id)
  if (!files.some((file) => file.version === version)) throw new AppError('not_found')
  return { url: `${deps.config.publicUrl}/downloads/${createDownloadToken(deps, { guideId: id, userId, version })}` }
}
