import { createHash } from 'node:crypto'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Deps } from '#server/feature.ts'
import { readGuideFile } from '#server/features/library/content/guide-file.ts'
import { imageKey } from '#server/media/object-key.ts'
import { openSpool, type Spool } from './spool.ts'
import { archivedTables } from './table-rows.ts'
import { type Snapshot, snapshotSteps, takeSnapshot } from './take-snapshot.ts'

/** Increased when a reader of the format before can't read the new one. */
export const archiveVersion = 1
export const archiveFormat = 'front-counter-archive'
export const manifestPath = 'manifest.json'

export const archiveManifestSchema = z.object({
  format: z.literal(archiveFormat),
  version: z.number().int().positive(),
  /** Name of the publication, for people. */
  publication: z.string(),
  createdAt: z.iso.datetime(),
  files: z.array(
    z.object({
      path: z.string(),
      bytes: z.number().int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      /** Rows of a data file. */
      rows: z.number().int().nonnegative().optional(),
    }),
  ),
  /** Files that the database names and the file store doesn't have. */
  missing: z.array(z.string()),
  /** With a key of the installation that wrote it. Archives of earlier versions have none. */
  signature: z.string().optional(),
})
export type ArchiveManifest = z.infer<typeof archiveManifestSchema>

const purpose = 'archive manifest'
const signedText = ({ signature: _, ...manifest }: ArchiveManifest) =>
  JSON.stringify(archiveManifestSchema.parse(manifest))

const signManifest = (secrets: SecretBox, manifest: ArchiveManifest): ArchiveManifest => ({
  ...manifest,
  signature: secrets.sign(purpose, signedText(manifest)),
})

/** Returns true if an installation with this SECRET_KEY, or a previous one, wrote the archive. */
export const isOwnManifest = (secrets: SecretBox, manifest: ArchiveManifest): boolean =>
  manifest.signature !== undefined && secrets.verify(purpose, signedText(manifest), manifest.signature)

type ZipSource = {
  path: string
  /** Reads the content when its turn comes, so that only one file is in memory. */
  read(): Promise<Uint8Array> | Promise<Readable> | Readable
  /** Images and office files don't get smaller. Default: true. */
  compress?: boolean
}

/** The same for every file, in local time, which the format uses: equal contents give equal bytes. */
const fileTime = new Date(1980, 0, 1)

/** Writes a zip file to `output` and ends it. */
async function writeZip(output: Writable, sources: readonly ZipSource[]): Promise<void> {
  const zip = new yazl.ZipFile()
  let isOpen = true
  const failed = new Promise<never>((_, reject) => zip.on('error', reject))
  for (const { path, read, compress = true } of sources) {
    const options = { mtime: fileTime, mode: 0o100644, compress, forceDosTimestamp: true }
    zip.addReadStreamLazy(path, options, async (done) => {
      // After a failure of the output, the rest isn't read.
      if (!isOpen) return
      try {
        const content = await read()
        const stream = content instanceof Uint8Array ? Readable.from([Buffer.from(content)]) : content
        stream.on('error', (error) => zip.emit('error', error))
        done(null, stream)
      } catch (error) {
        zip.emit('error', error)
      }
    })
  }
  zip.end()
  try {
    await Promise.race([pipeline(zip.outputStream as Readable, output), failed])
  } finally {
    isOpen = false
    // An output that was written in full may still be read.
    if (!output.writableFinished) output.destroy()
  }
}

/** The README inside the archive. */
const archiveReadme = (publication: string): string => `# ${publication}: archive of everything

Everything that this publication stores, in formats that other programs read. \`manifest.json\` lists every file with its
size, SHA-256 and number of rows.

| Where | What |
| --- | --- |
| \`members.csv\` | Everyone with an account. The first eight columns are those of Ghost's member import; Ghost ignores the others. UTF-8, comma-separated. |
| \`posts/\` | Published drops as Markdown with YAML front matter. Image links lead to \`images/\`. Everyone can read what is above \`<!--members-only-->\`. |
| \`drafts/\` | Drops whose latest text isn't published, in the same format. |
| \`ghost/posts.zip\` | The same posts as Ghost's import file, with their images. Upload it as it is. |
| \`images/\` | Uploaded images, named by the SHA-256 of their bytes. |
| \`recordings/\` | Recordings of drops, in pieces named by the id in \`recordings.ndjson\`. Joined in order, they are the file. |
| \`guides/\` | Files of guides: \`<guide>/<version>-<name>\` for uploads, plain names for files that came with the program. |
| \`tools/\` | Test sheets of tools. |
| \`data/\` | All data, one JSON object per line (NDJSON, UTF-8). Times are ISO 8601 in UTC, amounts are in cents. |

## Moving to Ghost
1. Settings > Import/Export > Universal import: upload \`ghost/posts.zip\`.
2. Connect Stripe, if members have plans. Then Members > Import members: upload \`members.csv\`.

## Files in \`data/\`
Rows refer to each other by id: \`userId\` is the \`id\` of a line in \`members.ndjson\`, \`kind\` and \`itemId\` name a line in
\`content-items.ndjson\`.

| File | What |
| --- | --- |
${archivedTables.map(({ file, about }) => `| \`${file}.ndjson\` | ${about} |`).join('\n')}
| \`password-hashes.ndjson\` | Only if it was asked for: hashes of passwords (argon2id or bcrypt) by account. Keep it secret. |

Not in the archive: sessions, second factors, passkeys, links and codes that were emailed, keys, and the security log.
`

export type ArchiveDeps = Pick<Deps, 'config' | 'database' | 'store' | 'clock' | 'secrets'>

type ArchiveOptions = {
  /** Adds the hashes of all passwords. Only for the operator's command. */
  withPasswordHashes?: boolean
  report?: (done: number, total: number) => void
}

export type ArchiveSummary = { members: number; posts: number; files: number; missing: string[] }

/**
 * Writes an archive of everything to `output`, as a zip file, and ends it. The data are of one moment. Equal data give
 * equal bytes, except for the time in the manifest.
 */
export async function writeArchive(
  deps: ArchiveDeps,
  output: Writable,
  { withPasswordHashes = false, report = () => {} }: ArchiveOptions = {},
): Promise<ArchiveSummary> {
  const now = deps.clock()
  const spool = await openSpool()
  try {
    await spool.write('README.md', [archiveReadme(deps.config.settings.publication.name)])
    const snapshot = await takeSnapshot(deps, spool, { now, withPasswordHashes, report })
    await spoolGhostZip(deps, spool, snapshot)
    const { sources, manifest } = contentsOf(deps, spool, snapshot, now)
    await writeZip(output, sources)
    report(snapshotSteps, snapshotSteps)
    return summarize(manifest)
  } finally {
    await spool.remove()
  }
}

const ghostZipPath = 'ghost/posts.zip'

/** Ghost's importer takes this file: the posts and the images that they show, under Ghost's path. */
async function spoolGhostZip(deps: ArchiveDeps, spool: Spool, { ghostPosts, images }: Snapshot) {
  const zip = new PassThrough()
  const sources: ZipSource[] = [
    { path: 'posts.json', read: ghostPosts.read },
    ...images.map((image) => ({
      path: `content/${image.path}`,
      read: async () => (await readImage(deps, image)) ?? new Uint8Array(),
      compress: false,
    })),
  ]
  await Promise.all([spool.write(ghostZipPath, zip), writeZip(zip, sources)])
}

const readImage = ({ store }: ArchiveDeps, { hash, extension }: Snapshot['images'][number]) =>
  store.get(imageKey(hash, extension))

/** The entries of the zip file. The manifest comes last, when everything was read. */
function contentsOf(deps: ArchiveDeps, spool: Spool, { images, files, pieces }: Snapshot, now: Date) {
  const manifest: ArchiveManifest = {
    format: archiveFormat,
    version: archiveVersion,
    publication: deps.config.settings.publication.name,
    createdAt: now.toISOString(),
    files: spool.files.map(({ read: _, ...file }) => file),
    missing: [],
  }
  const binary = (path: string, read: () => Promise<Uint8Array | null>): ZipSource => ({
    path,
    compress: false,
    read: async () => {
      const bytes = await read()
      if (!bytes) manifest.missing.push(path)
      const content = bytes ?? new Uint8Array()
      const sha256 = createHash('sha256').update(content).digest('hex')
      manifest.files.push({ path, bytes: content.byteLength, sha256 })
      return content
    },
  })
  const sources: ZipSource[] = [
    ...spool.files.map(({ path, read }) => ({ path, read, compress: path !== ghostZipPath })),
    ...images.map((image) => binary(image.path, () => readImage(deps, image))),
    ...files.map(({ path, source }) =>
      binary(path, async () => (await readGuideFile(deps.store, source))?.bytes ?? null),
    ),
    ...pieces.map((key) => binary(key, () => deps.store.get(key))),
    {
      path: manifestPath,
      read: async () => Buffer.from(`${JSON.stringify(signManifest(deps.secrets, manifest), null, 1)}\n`),
    },
  ]
  return { sources, manifest }
}

function summarize({ files, missing }: ArchiveManifest): ArchiveSummary {
  const rowsOf = (path: string) => files.find((file) => file.path === path)?.rows ?? 0
  return {
    members: rowsOf('data/members.ndjson'),
    posts: files.filter(({ path }) => path.startsWith('posts/')).length,
    files: files.length,
    missing,
  }
}
