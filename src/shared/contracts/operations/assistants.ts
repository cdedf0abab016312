import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const count = z.number().int().nonnegative()

/** Connected assistants. `used` and `requests`: in the last 30 days. What they read counts as read by the person. */
export const adminAssistantsCall = defineAdminCall({
  name: 'admin-assistants',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ connections: count, people: count, used: count, requests: count }),
})
