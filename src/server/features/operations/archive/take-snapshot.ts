import { eq, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { guideFile, guides, mediaImage, recording, textFile, tools, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { GuideFileSource } from '#server/features/library/content/guide-file.ts'
import { recordingKeys } from '#server/features/publishing/recordings/recordings.ts'
import type { Spool, SpooledFile } from './spool.ts'
import { archivedTables, readInBatches, rowsAsJson } from './table-rows.ts'
import { membersCsv } from './write-members-csv.ts'

export const passwordHashesFile = 'password-hashes'

export type Snapshot = {
  /** Ghost's import file, which goes into a zip file of its own. */
  ghostPosts: SpooledFile
  images: { path: string; hash: string; extension: 'png' | 'jpg' }[]
  files: { path: string; source: GuideFileSource }[]
  /** Pieces of recordings, by their key in the store. */
  pieces: string[]
}

type SnapshotOptions = { now: Date; withPasswordHashes: boolean; report: (done: number, total: number) => void }

/** Number of steps that are reported. */
export const snapshotSteps = archivedTables.length + 2

/**
 * Writes the database's part of the archive to the spool, as of one moment. PGlite runs nothing else meanwhile, which is
 * why the slow parts (compressing and reading images) come later.
 */
export async function takeSnapshot(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  spool: Spool,
  { now, withPasswordHashes, report }: SnapshotOptions,
): Promise<Snapshot> {
  return database.background.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local time zone 'UTC'`))
      await spool.write('members.csv', membersCsv(tx, now))
      for (const [index, archived] of archivedTables.entries()) {
        await spoolRows(tx, spool, `data/${archived.file}.ndjson`, rowsAsJson(archived))
        report(index + 1, snapshotSteps)
      }
      if (withPasswordHashes) await spoolRows(tx, spool, `data/${passwordHashesFile}.ndjson`, passwordHashes)
      const { spoolPosts } = await import('./write-posts.ts')
      const ghostPosts = await spoolPosts(tx, spool, { publicUrl: config.publicUrl, ghostPath: 'posts.json' })
      // Inside the zip file only.
      spool.files.splice(spool.files.indexOf(ghostPosts), 1)
      report(snapshotSteps - 1, snapshotSteps)
      return { ghostPosts, images: await listImages(tx), files: await listFiles(tx), pieces: await listPieces(tx) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const passwordHashes = sql`select json_build_object('id', ${users.id}, 'passwordHash', ${users.encryptedPassword})::text as line
  from ${users} where coalesce(${users.encryptedPassword}, '') <> '' order by ${users.id}`

async function spoolRows(tx: Tx, spool: Spool, path: string, query: ReturnType<typeof rowsAsJson>) {
  let rows = 0
  async function* lines() {
    for await (const batch of readInBatches<{ line: string }>(tx, query)) {
      rows += batch.length
      yield `${batch.map(({ line }) => line).join('\n')}\n`
    }
  }
  await spool.write(path, lines(), { rows: () => rows })
}

async function listImages(tx: Tx): Promise<Snapshot['images']> {
  const rows = await tx
    .select({ hash: mediaImage.hash, contentType: mediaImage.contentType })
    .from(mediaImage)
    .orderBy(sql`${mediaImage.hash} collate "C"`)
  return rows.map(({ hash, contentType }) => {
    const extension = contentType === 'image/png' ? 'png' : 'jpg'
    return { path: `images/${hash}.${extension}`, hash, extension }
  })
}

export const listPieces = async (tx: Tx): Promise<string[]> =>
  (await tx.select().from(recording).where(eq(recording.status, 'current')).orderBy(recording.id)).flatMap(
    recordingKeys,
  )

async function listFiles(tx: Tx): Promise<Snapshot['files']> {
  const uploads = await tx
    .select({
      guideId: guideFile.guideId,
      version: guideFile.version,
      hash: guideFile.hash,
      name: guideFile.name,
      contentType: guideFile.contentType,
    })
    .from(guideFile)
    .orderBy(sql`${guideFile.guideId} collate "C"`, guideFile.version)
  const own = await tx.select({ name: guides.file }).from(guides).where(sql`${guides.file} <> ''`)
  const sheets = await tx.select({ name: tools.testSheet }).from(tools).where(isNotNull(tools.testSheet))
  const namesOf = (rows: { name: string | null }[]) => [...new Set(rows.map(({ name }) => name ?? ''))].sort()
  const texts = await listTextFiles(tx)
  return [
    ...texts.map((source) => ({ path: textFilePath(source), source })),
    ...uploads.map(({ guideId, version, name, ...file }) => ({
      path: guideFilePath({ guideId, version, name }),
      source: { ...file, name },
    })),
    ...namesOf(own).map((name) => ({ path: `guides/${safeName(name)}`, source: name })),
    ...namesOf(sheets).map((name) => ({
      path: `tools/${safeName(name)}`,
      source: { folder: 'tools' as const, name },
    })),
  ]
}

export async function listTextFiles(tx: Tx) {
  const { hash, name, contentType } = textFile
  return tx.select({ hash, name, contentType }).from(textFile).orderBy(sql`${hash} collate "C"`)
}

export const textFilePath = ({ hash, name }: { hash: string; name: string }) =>
  `files/${hash}.${safeName(name).split('.').at(-1)}`

/** Names of uploads are made by us, but an archive must never contain a path that climbs. */
const safeName = (name: string) => name.replaceAll(/[^\w.-]/g, '-').replace(/^\.+/, '') || 'file'

export const guideFilePath = ({ guideId, version, name }: { guideId: string; version: number; name: string }) =>
  `guides/${safeName(guideId)}/${version}-${safeName(name)}`
