import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

/** The address of the member's own feed, with every section. `replace` ends the earlier address. */
export const memberFeedCall = defineCall({
  name: 'member-feed',
  audience: 'subscriber',
  invalidates: ['member-feed', 'podcast'],
  input: z.object({ replace: z.boolean().optional() }),
  output: z.object({ url: z.url() }),
})
