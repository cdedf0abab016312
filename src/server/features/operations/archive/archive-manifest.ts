import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'

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

export const signManifest = (secrets: SecretBox, manifest: ArchiveManifest): ArchiveManifest => ({
  ...manifest,
  signature: secrets.sign(purpose, signedText(manifest)),
})

/** Returns true if an installation with this SECRET_KEY, or a previous one, wrote the archive. */
export const isOwnManifest = (secrets: SecretBox, manifest: ArchiveManifest): boolean =>
  manifest.signature !== undefined && secrets.verify(purpose, signedText(manifest), manifest.signature)
