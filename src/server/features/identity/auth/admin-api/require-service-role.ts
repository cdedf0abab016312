import { createHash, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type CryptoKey, decodeProtectedHeader, importJWK, type JWTPayload, jwtVerify } from 'jose'
import { sessions } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'
import { keyRing } from '../keys/signing-keys.ts'
import { ProtocolError } from '../protocol-error.ts'

const serviceRoles: ReadonlySet<unknown> = new Set(['service_role', 'supabase_admin'])

/**
 * Accepts SERVICE_ROLE_KEY, or a token with a service role signed by one of our keys or by a key of SERVICE_JWKS.
 * @throws AppError no_authorization, bad_jwt, session_not_found; ProtocolError not_admin for everyone else
 */
export function createRequireServiceRole(deps: AuthDeps): (authorization: string | undefined) => Promise<void> {
  const { serviceRoleKey } = deps.config.auth
  return async (authorization) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (token && serviceRoleKey && isSame(token, serviceRoleKey)) return
    const claims = token ? await readServiceClaims(deps, token) : null
    if (claims && serviceRoles.has(claims.role)) return requireNamedSession(deps, claims)
    // Throws the specific error for an invalid bearer.
    if (!claims) await deps.readPrincipal(authorization)
    throw new ProtocolError('not_admin')
  }
}

/** Constant-time comparison, also for different lengths. */
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected))
const digest = (text: string) => createHash('sha256').update(text).digest()

/** Claims of a valid service token; null for user tokens and unknown keys. */
async function readServiceClaims(deps: AuthDeps, token: string): Promise<JWTPayload | null> {
  for (const { key, algorithm } of await candidateKeys(deps, token)) {
    try {
      const { payload } = await jwtVerify(token, await key(), { algorithms: [algorithm], currentDate: deps.clock() })
      return payload.role === 'authenticated' ? null : payload
    } catch {}
  }
  return null
}

/** Keys that may verify the token, each with its one algorithm. */
async function candidateKeys(deps: AuthDeps, token: string) {
  const { alg, kid } = readHeader(token)
  const found: { key(): Promise<CryptoKey | Uint8Array>; algorithm: string }[] = []
  const own = kid && alg === 'ES256' ? await keyRing(deps).verificationKey(kid) : null
  if (own) found.push({ key: async () => own, algorithm: 'ES256' })
  for (const jwk of deps.config.auth.serviceKeys) {
    if (jwk.alg !== alg || (kid && jwk.kid && jwk.kid !== kid)) continue
    found.push({ key: () => importJWK(jwk, jwk.alg), algorithm: jwk.alg })
  }
  return found
}

function readHeader(token: string): { alg?: string; kid?: string } {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return {}
  }
}

/** A token that names a session is valid only while that session exists. */
async function requireNamedSession({ database }: AuthDeps, { session_id: id }: JWTPayload): Promise<void> {
  if (id === undefined) return
  const [session] = isUuid(id)
    ? await database.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, id))
    : []
  if (!session) throw new AppError('session_not_found')
}
