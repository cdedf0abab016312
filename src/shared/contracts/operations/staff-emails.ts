import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { staffEmailKinds } from '#shared/domain/staff-emails.ts'
import { staffRoles } from '#shared/domain/staff-roles.ts'

const kind = z.enum(staffEmailKinds)

/** Which emails the caller gets: those that their role may choose, and whether each is on. Saves if `save` is there. */
export const adminStaffEmailsCall = defineAdminCall({
  name: 'admin-staff-emails',
  roles: staffRoles,
  input: z.object({ save: z.object({ kind, on: z.boolean() }).optional() }),
  output: z.object({ items: z.array(z.object({ kind, on: z.boolean() })) }),
})
