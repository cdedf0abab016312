import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const setupItemSchema = z.object({
  key: z.string(),
  /** What a publisher decides in the admin, or what the server needs. */
  part: z.enum(['publication', 'server']),
  /** The part that is set up or missing, in a few words. */
  title: z.string(),
  /** Why it matters, or what to do. */
  detail: z.string(),
  isDone: z.boolean(),
  /** Admin page where it is settled; null for a variable of the environment. */
  path: z.string().nullable(),
  /** Variables of the environment, such as SMTP_URL. */
  variables: z.array(z.string()),
})
export type SetupItem = z.infer<typeof setupItemSchema>

/** Lists what a publication needs before it goes live. Checked on the server at every call. */
export const adminSetupChecklistCall = defineAdminCall({
  name: 'admin-setup-checklist',
  roles: ['owner'],
  /** `withDns` also looks up the sender's DNS records, which can take seconds. */
  input: z.object({ withDns: z.boolean() }),
  output: z.object({ items: z.array(setupItemSchema) }),
})
