import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#shared/errors.ts'

/** Long enough to click and for a download manager to try again, too short to be passed around. */
export const downloadLinkTtlMs = 10 * 60 * 1000

const purpose = 'guide download'
const claimsSchema = z.object({
  guideId: z.string(),
  userId: z.uuid(),
  /** A certain version of the file, for the publisher; the one that readers get without it. */
  version: z.number().int().positive().optional(),
  expiresAt: z.number(),
})
type Claims = Omit<z.infer<typeof claimsSchema>, 'expiresAt'>

type LinkDeps = Pick<Deps, 'secrets' | 'clock'>

/** A token that names guide, user and end, sealed: nobody can read it, change it or make one. */
export function createDownloadToken({ secrets, clock }: LinkDeps, claims: Claims): string {
  return secrets.seal(purpose, JSON.stringify({ ...claims, expiresAt: clock().getTime() + downloadLinkTtlMs }))
}

/**
 * @throws AppError not_found for anything that we did not seal; link_expired (410) for what we did, too long ago
 */
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
