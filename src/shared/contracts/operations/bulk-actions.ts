import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { memberTagSchema } from './member-tags.ts'

/* Changes of many members: previewed, run in steps, undone. */

const count = z.number().int().nonnegative()

const bulkActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add-tag'), tag: memberTagSchema }),
  z.object({ kind: z.literal('remove-tag'), tag: memberTagSchema }),
  z.object({ kind: z.literal('note'), text: z.string().trim().min(1, 'Enter a note').max(2_000) }),
  z.object({
    kind: z.literal('access'),
    /** Complimentary access ends then. */
    until: z.iso.datetime(),
    reason: z.string().trim().max(300),
  }),
  z.object({ kind: z.literal('unsubscribe') }),
  z.object({ kind: z.literal('delete') }),
])
export type BulkAction = z.output<typeof bulkActionSchema>

/** Can be stopped while it runs, but not undone. */
export const isFinalAction = ({ kind }: BulkAction) => kind === 'unsubscribe' || kind === 'delete'

export const maxSelectedMembers = 500
const targetSchema = z.union([
  z.object({ ids: z.array(z.uuid()).min(1).max(maxSelectedMembers) }),
  z.object({ filter: memberFilterSchema }),
])
export type BulkTarget = z.output<typeof targetSchema>

/** How many members an action would change now, and why it leaves out the others. */
export const adminPreviewBulkActionCall = defineAdminCall({
  name: 'admin-preview-bulk-action',
  roles: ['owner', 'support'],
  input: z.object({ action: bulkActionSchema, target: targetSchema }),
  output: z.object({
    changing: count,
    unchanged: count,
    /** Completes "12 members …"; null if none is left out. */
    reason: z.string().nullable(),
    /** Addresses of some that would change. */
    examples: z.array(z.string()),
  }),
})

/**
 * Freezes the members and starts. A repeated `id` starts nothing. Complimentary access and deletion require step-up, and
 * only owners delete. Recorded in the staff log once.
 */
export const adminStartBulkActionCall = defineAdminCall({
  name: 'admin-start-bulk-action',
  roles: ['owner', 'support'],
  invalidates: ['admin-bulk-actions'],
  input: z.object({ id: z.uuid(), action: bulkActionSchema, target: targetSchema }),
  output: z.object({ total: count }),
})

/**
 * `stopped`: whoever ran or undid it lost the role, or someone stopped what can't be undone. Undo restores what it changed.
 */
export const bulkStatuses = ['running', 'finished', 'stopped', 'undoing', 'undone'] as const

const startedActionSchema = z.object({
  id: z.uuid(),
  action: bulkActionSchema,
  selection: z.string(),
  status: z.enum(bulkStatuses),
  total: count,
  done: count,
  /** Members that were changed and not restored. */
  changed: count,
  createdAt: z.iso.datetime(),
  by: z.string().nullable(),
})
export type StartedBulkAction = z.output<typeof startedActionSchema>

/** The newest ten. */
export const adminBulkActionsCall = defineAdminCall({
  name: 'admin-bulk-actions',
  roles: ['owner', 'support'],
  input: z.object({}),
  output: z.object({ items: z.array(startedActionSchema) }),
})

/**
 * Undoes an action, and stops it if it is still running. What was changed again since stays. Undoing complimentary access requires
 * step-up. `not_found` for an unsubscribe or a deletion that has ended.
 */
export const adminUndoBulkActionCall = defineAdminCall({
  name: 'admin-undo-bulk-action',
  roles: ['owner', 'support'],
  invalidates: ['admin-bulk-actions'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})

/** A link to a CSV file, valid for five minutes and for this session. */
export const adminExportMembersCall = defineAdminCall({
  name: 'admin-export-members',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ target: targetSchema }),
  output: z.object({ url: z.string() }),
})
