import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'

/* Importing posts from other services, and from Markdown files. */

export const postFileLimitBytes = 512 * 1024 * 1024

const roles: readonly StaffRole[] = ['owner', 'editor']
const instant = z.iso.datetime()
const count = z.number().int().nonnegative()
export const postSources = ['ghost', 'substack', 'markdown', 'wordpress', 'beehiiv', 'buttondown'] as const
export const postImportStatuses = ['checking', 'checked', 'importing', 'finished', 'failed', 'canceled'] as const
export const postResults = ['new', 'known', 'imported', 'published', 'failed'] as const
/** Who reads a post once it's published: everyone all of it, everyone a part of it, or members only. */
export const postReaders = ['everyone', 'part', 'members'] as const
export type PostReaders = (typeof postReaders)[number]

const postImportSchema = z.object({
  id: z.uuid(),
  fileName: z.string(),
  source: z.enum(postSources).nullable(),
  status: z.enum(postImportStatuses),
  publish: z.boolean(),
  done: count,
  total: count,
  /** Why the file can't be read. */
  problem: z.string().nullable(),
  /** Posts by result. */
  counts: z.object({ new: count, known: count, imported: count, published: count, failed: count }),
  createdAt: instant,
  createdBy: z.string().nullable(),
})
export type PostImport = z.infer<typeof postImportSchema>

const itemSchema = z.object({
  position: count,
  title: z.string(),
  result: z.enum(postResults),
  /** The drop that it became. */
  documentId: z.string().nullable(),
  /** Null if it can't be imported, or is here already. */
  readers: z.enum(postReaders).nullable(),
  /** Says what is lost or changed, and why it failed. */
  notes: z.array(z.string()),
})
export type PostImportItem = z.infer<typeof itemSchema>

const id = z.object({ id: z.uuid() })

/** The newest five. */
export const adminPostImportsCall = defineAdminCall({
  name: 'admin-post-imports',
  roles,
  input: z.object({}),
  output: z.object({ items: z.array(postImportSchema) }),
})

/** The body is the file. It is checked in the background; nothing is imported yet. */
export const adminUploadPostsCall = defineAdminCall({
  name: 'admin-upload-posts',
  roles,
  file: { maxBytes: postFileLimitBytes, streamed: true },
  input: z.object({
    name: z
      .string()
      .max(300)
      .transform((given) => given.toWellFormed().replaceAll(/\p{C}/gu, '')),
  }),
  output: postImportSchema,
})

const siteAddress = z.url({ protocol: /^https?$/, error: 'Enter an address such as https://example.com' })

/**
 * Imports the posts of a checked file as drafts. `publish`: those that were published are published here too. Images that
 * the file lacks are fetched from `siteAddress`.
 */
export const adminStartPostImportCall = defineAdminCall({
  name: 'admin-start-post-import',
  roles,
  input: id.extend({ publish: z.boolean(), siteAddress: siteAddress.nullish() }),
  output: postImportSchema,
})

/** Cancels the import; posts imported until then stay. */
export const adminCancelPostImportCall = defineAdminCall({
  name: 'admin-cancel-post-import',
  roles,
  input: id,
  output: postImportSchema,
})

/** In the order of the file. */
export const adminPostImportItemsCall = defineAdminCall({
  name: 'admin-post-import-items',
  roles,
  input: id.extend({ cursor: z.string().max(200).nullish() }),
  output: z.object({ items: z.array(itemSchema), nextCursor: z.string().nullable() }),
})

/** Posts with notes, as CSV. */
export const adminPostImportReportCall = defineAdminCall({
  name: 'admin-post-import-report',
  roles,
  input: id,
  output: z.object({ csv: z.string() }),
})
