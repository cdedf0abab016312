import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { documentKinds } from './documents.ts'

/* Reusable blocks, images and guide files. */

const id = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase words joined by hyphens')
  .max(80)
const instant = z.iso.datetime()
const version = z.number().int().min(0).max(1_000_000_000)

const blockSchema = z.object({
  id,
  title: z.string(),
  /** Markdown without other blocks. */
  body: z.string(),
  version,
  updatedAt: instant,
  updatedBy: z.string().nullable(),
  /** Documents that use it. */
  usedIn: z.array(z.object({ kind: z.enum(documentKinds), id: z.string(), title: z.string() })),
})
export type Block = z.infer<typeof blockSchema>

export const adminBlocksCall = defineAdminCall({
  name: 'admin-blocks',
  roles: ['owner', 'editor'],
  input: z.object({}),
  output: z.object({ items: z.array(blockSchema) }),
})

/** Version 0 creates a block. Fails with `edit_conflict` and `current` if `version` isn't the latest. */
export const adminSaveBlockCall = defineAdminCall({
  name: 'admin-save-block',
  roles: ['owner', 'editor'],
  // Drops that use the block change with it, and so do previews.
  invalidates: ['admin-blocks', 'admin-preview', 'admin-check-mailing', 'issues'],
  input: z.object({
    id,
    version,
    title: z.string().trim().min(1, 'Enter a name').max(200),
    body: z.string().trim().min(1, 'Enter the text').max(20_000),
  }),
  output: blockSchema,
})

export const adminDeleteBlockCall = defineAdminCall({
  name: 'admin-delete-block',
  roles: ['owner', 'editor'],
  invalidates: ['admin-blocks', 'admin-preview', 'admin-check-mailing', 'issues'],
  input: z.object({ id }),
  output: z.object({}),
})

export const imageLimits = {
  bytes: 12 * 1024 * 1024,
  /** Limit before scaling, against decompression bombs. */
  pixels: 50_000_000,
  /** Larger images are scaled down. Twice the column width, for high-density screens. */
  width: 1_600,
  height: 2_400,
} as const

const imageSchema = z.object({
  hash: z.string(),
  /** URL path: /media/<hash>.<ext> */
  path: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int(),
  originalName: z.string(),
  createdAt: instant,
  createdBy: z.string().nullable(),
})
export type MediaImage = z.infer<typeof imageSchema>

/** Newest first. */
export const adminImagesCall = defineAdminCall({
  name: 'admin-images',
  roles: ['owner', 'editor'],
  input: z.object({ cursor: z.string().max(200).nullish() }),
  output: z.object({ items: z.array(imageSchema), nextCursor: z.string().nullable() }),
})

const fileName = z
  .string()
  .max(300)
  .transform((given) => given.toWellFormed().replaceAll(/\p{C}/gu, ''))

/** The request body is the image; its name is in the query. */
export const adminUploadImageCall = defineAdminCall({
  name: 'admin-upload-image',
  roles: ['owner', 'editor'],
  file: { maxBytes: imageLimits.bytes },
  input: z.object({ name: fileName }),
  output: imageSchema,
})

/** The same for the publication's logo, app icon or picture, which are scaled down to what is shown. */
export const adminUploadLogoCall = defineAdminCall({
  name: 'admin-upload-logo',
  roles: ['owner'],
  file: { maxBytes: imageLimits.bytes },
  input: z.object({ name: fileName, use: z.enum(['logo', 'icon', 'picture', 'picture-small']).default('logo') }),
  output: imageSchema,
})

/** Deletes the image and its file. Fails with `image_in_use` and `usedIn` if a draft, published text, block or mailing shows it. */
export const adminDeleteImageCall = defineAdminCall({
  name: 'admin-delete-image',
  roles: ['owner', 'editor'],
  invalidates: ['admin-images', 'admin-preview', 'admin-check-mailing'],
  input: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.object({}),
})

export const bookmarkLimits = { title: 200, line: 300 } as const

const bookmarkSchema = z.object({ title: z.string(), line: z.string(), image: imageSchema.nullable() })
export type Bookmark = z.infer<typeof bookmarkSchema>

/** What a page says about itself, for a bookmark. Its picture is uploaded. */
export const adminReadBookmarkCall = defineAdminCall({
  name: 'admin-read-bookmark',
  roles: ['owner', 'editor'],
  invalidates: ['admin-images'],
  input: z.object({ address: z.string().trim().max(2_000) }),
  output: bookmarkSchema,
})

export const guideFileLimitBytes = 25 * 1024 * 1024

const guideFileSchema = z.object({
  version: z.int32().positive(),
  name: z.string(),
  /** PDF, Word or Excel. */
  format: z.string(),
  bytes: z.number().int(),
  createdAt: instant,
  createdBy: z.string().nullable(),
})
export type GuideFileVersion = z.infer<typeof guideFileSchema>

/** Newest first. */
export const adminGuideFilesCall = defineAdminCall({
  name: 'admin-guide-files',
  roles: ['owner', 'editor'],
  input: z.object({ id }),
  output: z.object({ items: z.array(guideFileSchema) }),
})

/** Adds a version. Readers get it once the guide is published with it. */
export const adminUploadGuideFileCall = defineAdminCall({
  name: 'admin-upload-guide-file',
  roles: ['owner', 'editor'],
  file: { maxBytes: guideFileLimitBytes },
  input: z.object({ id, name: fileName }),
  output: guideFileSchema,
})

/** A link that works for a few minutes and doesn't count as a download. */
export const adminGuideFileLinkCall = defineAdminCall({
  name: 'admin-guide-file-link',
  roles: ['owner', 'editor'],
  input: z.object({ id, version: z.int32().positive() }),
  output: z.object({ url: z.url() }),
})

const textFileSchema = z.object({
  /** URL path: /files/<hash>.<ext> */
  path: z.string(),
  name: z.string(),
  /** Such as PDF or MP3. */
  format: z.string(),
  bytes: z.number().int(),
  /** Length of a sound; null for other files. */
  seconds: z.number().int().nullable(),
})
export type TextFile = z.infer<typeof textFileSchema>

/** A file or sound that texts link to. Uploading the same file again returns the existing one. */
export const adminUploadTextFileCall = defineAdminCall({
  name: 'admin-upload-text-file',
  roles: ['owner', 'editor'],
  file: { maxBytes: guideFileLimitBytes },
  input: z.object({ name: fileName, kind: z.enum(['file', 'audio']) }),
  output: textFileSchema,
})
