import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { optionKeySchema } from '#shared/contracts/reader/option-key.ts'
import { documentKinds } from './documents.ts'

/* Changes of several documents at once, deleted drafts, and the samples that come with the software. */

const id = z.string().regex(/^[a-z0-9-]{1,80}$/)
const ids = z.array(id).min(1).max(200)
const kind = z.enum(documentKinds)

/** Deletes drafts; those that have been published are left out of `deleted` and stay. They can be restored for 30 days. */
export const adminDeleteDocumentsCall = defineAdminCall({
  name: 'admin-delete-documents',
  roles: ['owner', 'editor'],
  input: z.object({ kind, ids }),
  output: z.object({ deleted: z.array(id) }),
})

/** Drafts that were deleted in the last 30 days, newest first. */
export const adminDeletedDocumentsCall = defineAdminCall({
  name: 'admin-deleted-documents',
  roles: ['owner', 'editor'],
  input: z.object({ kind }),
  output: z.object({
    items: z.array(z.object({ id, title: z.string(), deletedAt: z.iso.datetime(), deletedBy: z.string().nullable() })),
  }),
})
export type DeletedDocument = z.infer<typeof adminDeletedDocumentsCall.output>['items'][number]

/** Brings deleted drafts back with their earlier versions. Those that exist again already stay as they are. */
export const adminRestoreDocumentsCall = defineAdminCall({
  name: 'admin-restore-documents',
  roles: ['owner', 'editor'],
  input: z.object({ kind, ids }),
  output: z.object({ restored: z.array(id) }),
})

/**
 * Adds and removes tags of drops. A drop whose latest version is published is published again with its new tags; other
 * drafts are only saved.
 */
export const adminTagDropsCall = defineAdminCall({
  name: 'admin-tag-drops',
  roles: ['owner', 'editor'],
  input: z.object({ ids, add: z.array(optionKeySchema), remove: z.array(optionKeySchema) }),
  output: z.object({ changed: z.array(id) }),
})

const sampleCountsSchema = z.object({
  /** Samples that readers see and nobody has edited. */
  shown: z.number().int(),
  /** Samples that were removed and can be put back. */
  removed: z.number().int(),
  /** Samples that stay, because they were emailed to readers or are scheduled. */
  inUse: z.number().int(),
})
export type SampleCounts = z.infer<typeof sampleCountsSchema>

export const adminSampleContentCall = defineAdminCall({
  name: 'admin-sample-content',
  roles: ['owner'],
  input: z.object({}),
  output: sampleCountsSchema,
})

/** Hides all samples that nobody has edited. What the publisher wrote or edited stays. */
export const adminRemoveSamplesCall = defineAdminCall({
  name: 'admin-remove-samples',
  roles: ['owner'],
  input: z.object({}),
  output: sampleCountsSchema,
})

/** Shows the removed samples again. */
export const adminRestoreSamplesCall = defineAdminCall({
  name: 'admin-restore-samples',
  roles: ['owner'],
  input: z.object({}),
  output: sampleCountsSchema,
})
