import { z } from 'zod'

/** Increased when a reader of the format before can't read the new one. */
export const archiveVersion = 1
export const archiveFormat = 'front-counter-archive'
export const manifestPath = 'manifest.json'

export const archiveManifestSchema = z.object({
  format: z.literal(archiveFormat),
  version: z.number().int().positive(),
  /** Of the publication, for people. */
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
})
export type ArchiveManifest = z.infer<typeof archiveManifestSchema>
