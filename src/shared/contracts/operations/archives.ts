import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

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
export const adminArchivesCall = defineCall({
  name: 'admin-archives',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ items: z.array(archiveSchema) }),
})

/** Starts an archive. Returns the one that is being built, if there is one. */
export const adminCreateArchiveCall = defineCall({
  name: 'admin-create-archive',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({}),
  output: archiveSchema,
})

/** A link that works for a few minutes. Requires step-up. */
export const adminArchiveLinkCall = defineCall({
  name: 'admin-archive-link',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({ id: z.uuid() }),
  output: z.object({ url: z.url() }),
})

export const adminDeleteArchiveCall = defineCall({
  name: 'admin-delete-archive',
  audience: 'admin',
  roles: ['owner'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
