import { z } from 'zod'
import { contentKinds } from '#shared/domain/content-items.ts'

/** Names an item of the portal in calls. */
export const itemRefSchema = z.object({
  kind: z.enum(contentKinds),
  /** A null character never names an item, and PostgreSQL refuses it. */
  id: z
    .string()
    .min(1)
    .max(200)
    .refine((id) => !id.includes('\0'), 'contains a null character'),
})
