import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const memberCount = z.number().int().nonnegative()

export const adminSegmentsCall = defineAdminCall({
  name: 'admin-segments',
  roles: ['owner', 'editor', 'support'],
  input: z.object({}),
  output: z.object({ items: z.array(z.object({ id: z.uuid(), name: z.string(), members: memberCount })) }),
})

/** Creates a segment if `id` is missing. `unknown` returns the addresses without an account; they aren't stored. */
export const adminSaveSegmentCall = defineAdminCall({
  name: 'admin-save-segment',
  roles: ['owner', 'support'],
  invalidates: ['admin-segments'],
  input: z.object({
    id: z.uuid().nullish(),
    name: z.string().trim().min(1, 'Enter a name').max(80),
    add: z.array(z.string().trim().max(320)).max(5_000),
    remove: z.array(z.string().trim().max(320)).max(5_000),
  }),
  output: z.object({ id: z.uuid(), members: memberCount, unknown: z.array(z.string()) }),
})

export const adminDeleteSegmentCall = defineAdminCall({
  name: 'admin-delete-segment',
  roles: ['owner', 'support'],
  invalidates: ['admin-segments'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
