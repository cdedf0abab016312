import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

/* Archives of everything, for owners. */

const instant = z.iso.datetime()
export const archiveStatuses = ['queued', 'building', 'ready', 'failed', 'deleted'] as const

const archiveSchema = z.object({
  id: z.uuid(),
  status: z.enum(archiveStatuses),
  done: z.number().int(),
  total: z.number().int(),
  bytes: z.number().int(),
  sha256: z.string().nullable(),
  /** Files that our file store didn't have. */
  missing: z.array(z.string()),
  createdAt: instant,
  createdBy: z.string().nullable(),
  finishedAt: instant.nullable(),
  /** When the file is deleted. */
  expiresAt: instant.nullable(),
})
export type Archive = z.infer<typeof archiveSchema>

/** The newest ten. */
export const adminArchivesCall = defineAdminCall({
  name: 'admin-archives',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ items: z.array(archiveSchema) }),
})

/** Starts an archive. Returns the one that is being built, if there is one. */
export const adminCreateArchiveCall = defineAdminCall({
  name: 'admin-create-archive',
  roles: ['owner'],
  invalidates: ['admin-archives'],
  input: z.object({}),
  output: archiveSchema,
})

/** A link that works for a few minutes. */
export const adminArchiveLinkCall = defineAdminCall({
  name: 'admin-archive-link',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ id: z.uuid() }),
  output: z.object({ url: z.url() }),
})

export const adminDeleteArchiveCall = defineAdminCall({
  name: 'admin-delete-archive',
  roles: ['owner'],
  invalidates: ['admin-archives'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
