import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { storedPreferencesSchema } from '#shared/contracts/reader/preferences.ts'

/** A user in the admin's list; `preferences` is null before onboarding. */
const adminUserSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  created_at: z.iso.datetime(),
  preferences: storedPreferencesSchema.nullable(),
})
export type AdminUser = z.infer<typeof adminUserSchema>

/** Newest first, in keyset pages: `cursor` is the `next_cursor` of the previous page. Without a body, the first page. */
export const adminUsersCall = defineAdminCall({
  name: 'admin-users',
  roles: ['owner', 'support'],
  input: z.object({
    search: z.string().trim().max(200).nullish(),
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  output: z.object({
    users: z.array(adminUserSchema),
    next_cursor: z.string().nullable(),
    totals: z.object({
      total_users: z.number().int(),
      new_this_week: z.number().int(),
      active_subscriptions: z.number().int(),
    }),
  }),
})
export type AdminUsersPage = z.infer<typeof adminUsersCall.output>
