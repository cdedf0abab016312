import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { restoreHold, statementsOnHold } from '#server/db/restore-hold.ts'
import {
  contentDocument,
  deliveries,
  guideFile,
  mailings,
  mediaImage,
  publicationSettings,
  users,
} from '#server/db/schema/index.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Deps } from '#server/feature.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { guideKey, imageKey } from '#server/media/object-key.ts'
import { type ArchivedTable, advanceSequences, archivedTables, insertRows } from './table-rows.ts'
import { guideFilePath, listPieces, listTextFiles, passwordHashesFile, textFilePath } from './take-snapshot.ts'
import {
  type ArchiveManifest,
  archiveFormat,
  archiveManifestSchema,
  archiveVersion,
  isOwnManifest,
  manifestPath,
} from './write-archive.ts'
import { openZip, ZipError, type ZipFile } from './zip-reader.ts'

type RestoreDeps = Pick<Deps, 'database' | 'store' | 'clock' | 'secrets'>

export type RestoreSummary = {
  members: number
  rows: number
  files: number
  pausedMailings: number
  missing: string[]
  /** Roles and passwords were left out. */
  withoutAccess: boolean
}

/** Let someone in as staff or as another person, so they are read only from an archive that can be trusted. */
const accessFiles: ReadonlySet<string> = new Set(['staff', 'suspended-staff', passwordHashesFile])

/** Rows and characters per statement. */
const batch = { rows: 1_000, characters: 2_000_000 }
const limits = { maxEntries: 1_000_000, maxTotalBytes: 1024 ** 4, maxRatio: 1_100 }
const maxManifestBytes = 256 * 1024 ** 2

/**
 * Imports an archive into an instance without members, drafts and mailings. Sample content that the program brought is
 * replaced. Everything has the same ids as before; nothing is sent until an owner ends the hold. Roles and passwords are
 * left out unless the archive has this installation's signature or the operator trusts it.
 * @throws OperatorError if the archive is damaged or newer, or the instance isn't empty. Then nothing was changed.
 */
export async function restoreArchive(
  deps: RestoreDeps,
  file: string,
  { trusted = false }: { trusted?: boolean } = {},
): Promise<RestoreSummary> {
  const zip = await openZip(file, limits).catch((error: unknown) => {
    throw new OperatorError(`${file} isn’t an archive that we can read: ${messageOf(error)}.`)
  })
  try {
    const manifest = await readManifest(zip)
    await requireEmpty(deps)
    await verifyFiles(zip, manifest)
    const isTrusted = trusted || isOwnManifest(deps.secrets, manifest)
    return await deps.database.background.transaction(async (tx) => {
      // No sign-up and no second import may come between the check and the end.
      await tx.execute(sql`lock table ${users} in share row exclusive mode`)
      await requireEmpty({ database: { ...deps.database, db: tx } })
      await deleteSampleContent(tx)
      const rows = await insertEverything(tx, zip, isTrusted)
      const pausedMailings = await haltSending(tx)
      await placeHold(tx, manifest.createdAt, deps.clock())
      await syncContentItems(tx, deps.clock())
      const files = await storeFiles(deps, tx, zip)
      const { missing } = manifest
      return { members: await tx.$count(users), rows, files, pausedMailings, missing, withoutAccess: !isTrusted }
    })
  } catch (error) {
    if (error instanceof ZipError)
      throw new OperatorError(`The archive is damaged: ${error.message}. Nothing was changed.`)
    throw error
  } finally {
    zip.close()
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown error')

async function readManifest(zip: ZipFile): Promise<ArchiveManifest> {
  const text = await zip.read(manifestPath, maxManifestBytes).catch(() => null)
  const parsed = text && parseJson(text.toString('utf8'))
  const { format, version } = (parsed ?? {}) as { format?: unknown; version?: unknown }
  if (format !== archiveFormat) throw new OperatorError('This zip file isn’t an archive of a publication.')
  if (typeof version === 'number' && version > archiveVersion) {
    throw new OperatorError(
      `This archive has format ${version}, which a newer version of the program wrote. Update first.`,
    )
  }
  const manifest = archiveManifestSchema.safeParse(parsed)
  if (!manifest.success) throw new ZipError('the manifest is incomplete')
  return manifest.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Every file is as the manifest says, and nothing was added. */
async function verifyFiles(zip: ZipFile, { files }: ArchiveManifest) {
  const listed = new Set([manifestPath, ...files.map(({ path }) => path)])
  const added = zip.paths.find((path) => !listed.has(path))
  if (added) throw new ZipError(`${added} isn’t in the manifest`)
  for (const { path, sha256 } of files) {
    const actual = await zip
      .open(path)
      .then(hashStream)
      .catch((cause: unknown) => {
        throw cause instanceof ZipError ? cause : new ZipError(`${path} can’t be read`, { cause })
      })
    if (actual !== sha256) throw new ZipError(`${path} was changed`)
  }
}

async function requireEmpty({ database: { db } }: { database: { db: Deps['database']['db'] | Tx } }) {
  const found = [
    ['members', await db.$count(users)],
    ['mailings', await db.$count(mailings)],
    ['documents that were edited', await db.$count(contentDocument, eq(contentDocument.editedInAdmin, true))],
    ['images', await db.$count(mediaImage)],
  ] as const
  const [present] = found.filter(([, count]) => count > 0)
  if (!present) return
  throw new OperatorError(
    `This instance isn’t empty: it has ${present[1]} ${present[0]}. Import into a new database. Nothing was changed.`,
  )
}

/** The tables have nothing else: the instance is empty. */
async function deleteSampleContent(tx: Tx) {
  for (const { table } of archivedTables.toReversed()) await tx.delete(table)
}

async function insertEverything(tx: Tx, zip: ZipFile, isTrusted: boolean): Promise<number> {
  await tx.execute(sql.raw(`set local time zone 'UTC'`))
  let rows = 0
  for (const archived of archivedTables) {
    const path = `data/${archived.file}.ndjson`
    // Archives of earlier versions don't have the newest tables.
    if (!zip.has(path) || (accessFiles.has(archived.file) && !isTrusted)) continue
    if (archived.filledByTriggers) await tx.delete(archived.table)
    await eachBatch(zip, path, async (lines) => {
      await insertRows(tx, archived, lines)
      rows += lines.length
    })
    await advanceSequences(tx, archived)
  }
  const hashes = `data/${passwordHashesFile}.ndjson`
  if (zip.has(hashes) && isTrusted) await eachBatch(zip, hashes, (lines) => writePasswordHashes(tx, lines))
  return rows
}

async function eachBatch(zip: ZipFile, path: ArchivedTable['file'], write: (lines: string[]) => Promise<void>) {
  let lines: string[] = []
  let characters = 0
  const flush = async () => {
    if (lines.length > 0) await write(lines)
    lines = []
    characters = 0
  }
  for await (const line of createInterface({ input: await zip.open(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue
    lines.push(line)
    characters += line.length
    if (lines.length >= batch.rows || characters >= batch.characters) await flush()
  }
  await flush()
}

const writePasswordHashes = async (tx: Tx, lines: readonly string[]) => {
  await tx.execute(sql`update ${users} set encrypted_password = r."passwordHash"
    from json_to_recordset(${`[${lines.join(',')}]`}::json) as r(id uuid, "passwordHash" text)
    where ${users.id} = r.id`)
}

/**
 * The instance that the archive comes from may still send these mailings. Scheduled ones become drafts, those that were
 * being sent are paused, and deliveries without a response are unknown, as after a crash.
 */
async function haltSending(tx: Tx): Promise<number> {
  await tx
    .update(deliveries)
    .set({ status: 'unknown', cause: 'sender_lost', senderId: null })
    .where(eq(deliveries.status, 'sending'))
  const preparing = tx.select({ id: mailings.id }).from(mailings).where(eq(mailings.status, 'preparing'))
  await tx.delete(deliveries).where(inArray(deliveries.mailingId, preparing))
  const drafted = await tx
    .update(mailings)
    .set({
      status: 'draft',
      scheduledAt: null,
      waitsForVersion: null,
      frozenAt: null,
      acceptedErrors: null,
      preparedAt: null,
      startedAt: null,
      // A draft shows what is published; product news is its own text.
      content: sql`case when ${mailings.kind} not in ('issue', 'digest') then ${mailings.content} end`,
    })
    .where(or(eq(mailings.status, 'scheduled'), eq(mailings.status, 'preparing')))
    .returning({ id: mailings.id })
  const paused = await tx
    .update(mailings)
    .set({ status: 'paused', pauseReason: 'publisher' })
    .where(eq(mailings.status, 'sending'))
    .returning({ id: mailings.id })
  return drafted.length + paused.length
}

/** A mailing of the original waits, like after a restored backup: the original may have sent it since, or still does. */
async function placeHold(tx: Tx, archivedAt: string, now: Date) {
  const value = { backupAt: archivedAt, restoredAt: now.toISOString(), from: 'archive' }
  await tx.insert(publicationSettings).values({ name: restoreHold, value, updatedAt: now })
  for (const statement of statementsOnHold) await tx.execute(sql.raw(statement))
}

/** Files that nothing refers to stay behind if a later step fails; they are stored by hash, so they do no harm. */
async function storeFiles({ store }: RestoreDeps, tx: Tx, zip: ZipFile): Promise<number> {
  let files = 0
  const images = await tx.select({ hash: mediaImage.hash, contentType: mediaImage.contentType }).from(mediaImage)
  for (const { hash, contentType } of images) {
    const extension = contentType === 'image/png' ? 'png' : 'jpg'
    const path = `images/${hash}.${extension}`
    if (!zip.has(path) || zip.bytesOf(path) === 0) continue
    await store.put(imageKey(hash, extension), await zip.read(path, zip.bytesOf(path)), contentType)
    files += 1
  }
  const { guideId, version, name, hash, contentType } = getTableColumns(guideFile)
  const guides = await tx.select({ guideId, version, name, hash, contentType }).from(guideFile)
  const uploads = [
    ...guides.map((upload) => ({ ...upload, path: guideFilePath(upload) })),
    ...(await listTextFiles(tx)).map((upload) => ({ ...upload, path: textFilePath(upload) })),
  ]
  for (const { path, ...upload } of uploads) {
    if (!zip.has(path) || zip.bytesOf(path) === 0) continue
    await store.put(guideKey(upload.hash), await zip.read(path, zip.bytesOf(path)), upload.contentType)
    files += 1
  }
  for (const key of await listPieces(tx)) {
    if (!zip.has(key) || zip.bytesOf(key) === 0) continue
    await store.put(key, await zip.read(key, zip.bytesOf(key)), 'application/octet-stream')
    files += 1
  }
  return files
}

async function hashStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
