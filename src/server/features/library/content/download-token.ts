import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'

/** Long enough for retries by a download manager, too short for sharing the link. */
export const downloadLinkTtlMs = 10 * 60 * 1000

const purpose = 'guide download'
const claimsSchema = z.object({
  guideId: z.string(),
  /** For the test sheet of a tool; then `guideId` is empty. */
  toolId: z.string().optional(),
  /** For a file in a text; then `guideId` is empty. */
  file: z.string().optional(),
  userId: z.uuid(),
  /** Version of the file, for admins. Without it, the published version. */
  version: z.number().int().positive().optional(),
  expiresAt: z.number(),
})
type Claims = Omit<z.infer<typeof claimsSchema>, 'expiresAt'>

type LinkDeps = Pick<Deps, 'secrets' | 'clock'>

/** Encrypts guide or tool, user and expiry. */
export function createDownloadToken(
  { secrets, clock }: LinkDeps,
  claims: Claims,
  ttlMs: number = downloadLinkTtlMs,
): string {
  return secrets.seal(purpose, JSON.stringify({ ...claims, expiresAt: clock().getTime() + ttlMs }))
}

/** @throws AppError not_found for an invalid token; link_expired (410) */
export function verifyDownloadToken({ secrets, clock }: LinkDeps, token: string): Claims {
  const claims = openClaims(secrets, token)
  if (claims.expiresAt <= clock().getTime()) throw new AppError('link_expired')
  return claims
}

function openClaims(secrets: LinkDeps['secrets'], token: string) {
  try {
    return claimsSchema.parse(JSON.parse(secrets.open(purpose, token)))
  } catch (cause) {
    throw new AppError('not_found', { cause })
  }
}
