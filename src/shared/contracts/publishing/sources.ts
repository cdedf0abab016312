import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

const count = z.number().int().nonnegative()

/** Where readers come from: visits by source, and what became of those who signed up. */
export const adminSourcesCall = defineAdminCall({
  name: 'admin-sources',
  roles: ['owner', 'viewer'],
  input: z.object({ days: z.union([z.literal(7), z.literal(30), z.literal(90)]) }),
  output: z.object({
    /** By the first source of a member, most visits first. */
    sources: z.array(
      z.object({
        source: z.string(),
        visits: count,
        free: count,
        paid: count,
        /** Without tax and refunds, one for each currency. */
        netPaid: z.array(z.object({ currency: z.string(), cents: z.number().int() })),
      }),
    ),
    /** Public pages by views. */
    pages: z.array(z.object({ path: z.string(), visits: count, views: count })),
    botViews: count,
  }),
})
export type SourcesReport = z.infer<typeof adminSourcesCall.output>
