import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'

const viewSchema = z.object({ id: z.uuid(), name: z.string(), filter: memberFilterSchema })

/** Saved filters, by name. Editors choose them as the audience of a mailing. */
export const adminMemberViewsCall = defineAdminCall({
  name: 'admin-member-views',
  roles: ['owner', 'editor', 'support'],
  input: z.object({}),
  output: z.object({ items: z.array(viewSchema) }),
})

/** Creates a view if `id` is missing. Rejected with `view_name_taken`. */
export const adminSaveMemberViewCall = defineAdminCall({
  name: 'admin-save-member-view',
  roles: ['owner', 'support'],
  invalidates: ['admin-member-views'],
  input: z.object({
    id: z.uuid().nullish(),
    name: z.string().trim().min(1, 'Enter a name').max(60, 'Use at most 60 characters'),
    filter: memberFilterSchema,
  }),
  output: z.object({ id: z.uuid() }),
})

/** Rejected with `view_in_use` while a draft or scheduled mailing goes to it. */
export const adminDeleteMemberViewCall = defineAdminCall({
  name: 'admin-delete-member-view',
  roles: ['owner', 'support'],
  invalidates: ['admin-member-views'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
