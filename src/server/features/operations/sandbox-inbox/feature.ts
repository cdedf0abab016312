import type { Feature } from '#server/feature.ts'

/** Pages of the sandbox alone, which open-mail.ts and open-sms.ts add to the server. */
export const sandboxInboxFeature: Feature = {}
