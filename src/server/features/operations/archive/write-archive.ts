import { createHash } from 'node:crypto'
import { PassThrough, type Writable } from 'node:stream'
import type { Deps } from '#server/deps.ts'
import { readGuideFile } from '#server/features/library/content/guide-file.ts'
import { imageKey } from '#server/media/object-key.ts'
import { type ArchiveManifest, archiveFormat, archiveVersion, manifestPath, signManifest } from './archive-manifest.ts'
import { archiveReadme } from './archive-readme.ts'
import { openSpool, type Spool } from './spool.ts'
import { type Snapshot, snapshotSteps, takeSnapshot } from './take-snapshot.ts'
import { writeZip, type ZipSource } from './zip-writer.ts'

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
function contentsOf(deps: ArchiveDeps, spool: Spool, { images, files }: Snapshot, now: Date) {
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
