import { z } from 'zod'

/** `GET /config.json`: all that the browser must know before it can talk to the server. */
export const browserConfigSchema = z.object({
  url: z.url(),
  publishableKey: z.string(),
  sandbox: z.boolean(),
})
export type BrowserConfig = z.infer<typeof browserConfigSchema>
