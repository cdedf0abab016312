import { createHash, hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '#server/config/config.ts'
import { loadSecret } from '#server/config/secret-box.ts'
import type { CopySession } from '#server/db/copy-session.ts'
import type { Deps } from '#server/feature.ts'
import { recordingKeys } from '#server/features/publishing/recordings/recordings.ts'
import type { ObjectStore } from '#server/media/disk-store.ts'
import { guideKey, imageKey } from '#server/media/object-key.ts'
import { countRows, writeBackupFile } from './format/backup-file.ts'
import type { BackupRecord, FileStart, Manifest } from './format/records.ts'
import { readMigration, readRows, readSequences, readTables, type StoredTable } from './restore-database.ts'

/** Identifies a SECRET_KEY without revealing it. */
export const secretKeyIdOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, 'front-counter backup', 'secret key id', 12)).toString('base64url')

const fileBlockBytes = 256 * 1024

/**
 * Writes an encrypted backup of the database and the file store. The database is read in one snapshot, the files after it.
 * @returns what the backup contains
 */
export async function writeBackup(
  { config, database, store, clock }: Pick<Deps, 'config' | 'database' | 'store' | 'clock'>,
  path: string,
  key: string,
): Promise<Manifest> {
  const createdAt = clock().toISOString()
  let manifest: Manifest | undefined
  await database.snapshot(async (session) => {
    const facts = { appVersion, engine: database.kind, createdAt, migration: await readMigration(session) }
    const records = readRecords(session, store, config.secretKey)
    await writeBackupFile(
      path,
      facts,
      key,
      (async function* () {
        for await (const record of records) {
          if (record.kind === 'M') manifest = record.manifest
          yield record
        }
      })(),
    )
  })
  if (!manifest) throw new Error('The backup has no manifest')
  return manifest
}

export const { version: appVersion } = JSON.parse(
  readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
) as { version: string }

async function* readRecords(
  session: CopySession,
  store: ObjectStore,
  secretKey: Config['secretKey'],
): AsyncGenerator<BackupRecord> {
  const tables: Manifest['tables'] = []
  const stored = await readTables(session)
  for (const table of stored) {
    const { name, columns } = table
    yield { kind: 'T', table: { name, columns } }
    const counted = { name, columns, rows: 0, sha256: '' }
    for await (const { rows, result } of hashRows(session, table)) {
      if (rows) yield { kind: 'R', rows }
      Object.assign(counted, result)
    }
    tables.push(counted)
  }
  const sequences = await readSequences(session)
  const files: Manifest['files'] = []
  const missingFiles: string[] = []
  for (const file of await listFiles(session, stored)) {
    const bytes = await store.get(file.key)
    if (!bytes) {
      missingFiles.push(file.key)
      continue
    }
    yield { kind: 'F', file }
    for (let at = 0; at < bytes.length; at += fileBlockBytes) {
      yield { kind: 'B', bytes: Buffer.from(bytes.subarray(at, at + fileBlockBytes)) }
    }
    files.push({ ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  const secret = loadSecret(secretKey)
  yield {
    kind: 'M',
    manifest: {
      tables,
      sequences,
      files,
      missingFiles,
      secretKeyId: secretKeyIdOf(secret),
      secretKey: secretKey.kind === 'file' ? secret : null,
    },
  }
}

/** Yields the rows of a table in blocks, and last their number and hash. */
async function* hashRows(session: CopySession, table: StoredTable) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const block of readRows(session, table)) {
    hash.update(block)
    rows += countRows(block)
    yield { rows: block }
  }
  yield { result: { rows, sha256: hash.digest('hex') } }
}

/** Number and hash of the rows of every table, as in a manifest. */
export async function hashTables(session: CopySession): Promise<Manifest['tables']> {
  const hashed: Manifest['tables'] = []
  for (const table of await readTables(session)) {
    const entry = { name: table.name, columns: table.columns, rows: 0, sha256: '' }
    for await (const { result } of hashRows(session, table)) Object.assign(entry, result)
    hashed.push(entry)
  }
  return hashed
}

/** Images, recordings in their pieces, and files of guides and texts that the database refers to. */
async function listFiles(session: CopySession, tables: readonly StoredTable[]): Promise<FileStart[]> {
  const images = await session.query<{ hash: string; type: string }>(
    'select hash, content_type as type from media_image order by hash',
  )
  const guides = await session.query<{ hash: string; type: string }>(
    'select hash, min(content_type) as type from guide_file group by hash order by hash',
  )
  // A backup may be of a database that isn't migrated yet.
  const recordings = tables.some(({ name }) => name === 'public.recording')
    ? await session.query<{ id: string; bytes: number }>(
        `select id, bytes::float8 as bytes from recording where status = 'current' order by id`,
      )
    : []
  const textFiles = tables.some(({ name }) => name === 'public.text_file')
    ? await session.query<{ hash: string; type: string }>(
        'select hash, content_type as type from text_file order by hash',
      )
    : []
  const known = new Set(guides.map(({ hash }) => hash))
  return [
    ...images.map(({ hash, type }) => ({
      key: imageKey(hash, type === 'image/png' ? 'png' : 'jpg'),
      contentType: type,
    })),
    ...[...guides, ...textFiles.filter(({ hash }) => !known.has(hash))].map(({ hash, type }) => ({
      key: guideKey(hash),
      contentType: type,
    })),
    ...recordings.flatMap(recordingKeys).map((key) => ({ key, contentType: 'application/octet-stream' })),
  ]
}
