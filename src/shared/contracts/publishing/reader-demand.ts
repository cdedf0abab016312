import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const count = z.number().int().nonnegative()

/**
 * Whom the newest published drops served, and what readers looked for: trades, levels and focus areas with the drops that have
 * something for them, the fewest first; searches without a result; questions in readers' answers, newest first.
 */
export const adminReaderDemandCall = defineAdminCall({
  name: 'admin-reader-demand',
  roles: ['owner', 'editor'],
  input: z.object({}),
  output: z.object({
    drops: count,
    groups: z.array(z.object({ title: z.string(), items: z.array(z.object({ label: z.string(), drops: count })) })),
    searches: z.array(z.object({ query: z.string(), count })),
    questions: z.array(z.object({ id: z.uuid(), text: z.string() })),
  }),
})
export type ReaderDemand = z.infer<typeof adminReaderDemandCall.output>
