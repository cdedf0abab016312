import { z } from 'zod'

/** `GET /config.json`: what a client needs to connect to the server. */
export const browserConfigSchema = z.object({
  url: z.url(),
  publishableKey: z.string(),
  sandbox: z.boolean(),
})
export type BrowserConfig = z.infer<typeof browserConfigSchema>
