import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'

const purpose = 'free edition'
const lifetimeMs = 7 * 24 * 60 * 60 * 1000

const payloadSchema = z.object({
  email: z.string(),
  issuedAt: z.coerce.date(),
  /** Id of the guide that they asked for with it. */
  guide: z.string().optional(),
})
/** Who asked for the free edition, and when. */
export type FreeRequest = z.output<typeof payloadSchema>

export const confirmationExpiry = ({ issuedAt }: FreeRequest): Date => new Date(issuedAt.getTime() + lifetimeMs)

/** Encrypted, so that a forwarded link doesn't show the address, and not stored. */
export const writeConfirmationToken = (secrets: Pick<SecretBox, 'seal'>, request: FreeRequest): string =>
  secrets.seal(purpose, JSON.stringify(request))

/** Null for a token that is forged, damaged or expired. */
export function readConfirmationToken(secrets: Pick<SecretBox, 'open'>, token: string, now: Date): FreeRequest | null {
  try {
    const request = payloadSchema.parse(JSON.parse(secrets.open(purpose, token)))
    return now < confirmationExpiry(request) ? request : null
  } catch {
    return null
  }
}
