import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { correctionSchema } from './trust-settings.ts'

export const trustPagesCall = defineCall({
  name: 'trust-pages',
  audience: 'public',
  input: z.object({}),
  output: z.object({
    /** Null if no editor is named. */
    editor: z.object({ name: z.string(), bioHtml: z.string() }).nullable(),
    /** Email address. */
    contact: z.string(),
    /** Newest first. */
    corrections: z.array(correctionSchema),
  }),
})
export type TrustPages = z.infer<typeof trustPagesCall.output>
