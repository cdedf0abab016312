import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'
import { isUuid } from '../auth-deps.ts'
import { keyRing } from '../keys/signing-keys.ts'
import type { SessionRow } from './session-row.ts'

type TokenDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/** Claims of a verified token. Permissions are read from the database. */
export type VerifiedToken = { userId: string; sessionId: string; aal: 'aal1' | 'aal2'; expiresAt: number }
type CachedToken = VerifiedToken & { cachedUntil: number }

/** About 1 kB each. */
const maxCachedTokens = 10_000
/** Tokens are verified again this often, because keys may be revoked on another node. */
const cacheTtlMs = 60_000

export const issuer = (publicUrl: string) => `${publicUrl}/auth/v1`

/** Signs an access token. The `jti` makes tokens of the same second distinct. */
export async function signAccessToken(deps: TokenDeps, session: SessionRow) {
  const { kid, key } = await keyRing(deps).signingKey()
  const issuedAt = Math.floor(deps.clock().getTime() / 1000)
  const expiresIn = deps.config.auth.accessTokenSeconds
  const token = await new SignJWT({
    aud: 'authenticated',
    email: session.email ?? '',
    phone: session.phone ?? '',
    app_metadata: session.app_metadata ?? {},
    user_metadata: session.user_metadata ?? {},
    role: 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.session_id,
    is_anonymous: session.is_anonymous,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
    .setIssuer(issuer(deps.config.publicUrl))
    .setSubject(session.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresIn)
    .setJti(crypto.randomUUID())
    .sign(key)
  return { token, expiresIn, expiresAt: issuedAt + expiresIn }
}

/**
 * Verifies `Authorization: Bearer …`. Caches verified tokens for a minute, since a verification costs more than a database
 * read. A change of the keys clears the cache.
 */
export function createVerifyBearer(deps: TokenDeps) {
  const ring = keyRing(deps)
  const verified = new LRUCache<string, CachedToken>({ max: maxCachedTokens })
  const pending = new Map<string, Promise<CachedToken>>()
  ring.onChange(() => verified.clear())

  return async (authorization: string | undefined): Promise<VerifiedToken> => {
    const token = readBearer(authorization)
    const known = verified.get(token)
    const leftMs = known ? known.cachedUntil - deps.clock().getTime() : 0
    // More than a whole TTL is left after the clock was set back.
    if (known && leftMs > 0 && leftMs <= cacheTtlMs) return known
    // Concurrent requests with the same new token share one verification.
    const running = pending.get(token)
    if (running) return running
    const check = verifyAndCache(token).finally(() => pending.delete(token))
    pending.set(token, check)
    return check
  }

  async function verifyAndCache(token: string): Promise<CachedToken> {
    const fresh = await verifyToken(token)
    const cached = { ...fresh, cachedUntil: Math.min(fresh.expiresAt, deps.clock().getTime() + cacheTtlMs) }
    verified.set(token, cached)
    return cached
  }

  async function verifyToken(token: string): Promise<VerifiedToken> {
    try {
      const kid = keyIdOf(token)
      const key = kid ? await ring.verificationKey(kid) : null
      if (!key) throw new AppError('bad_jwt')
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['ES256'],
        audience: 'authenticated',
        requiredClaims: ['exp'],
        currentDate: deps.clock(),
      })
      const { sub, session_id: sessionId, exp = 0 } = payload
      if (!sub) throw new AppError('bad_jwt', { message: 'invalid claim: missing sub claim' })
      if (!isUuid(sub))
        throw new AppError('bad_jwt', { status: 400, message: 'invalid claim: sub claim must be a UUID' })
      if (!isUuid(sessionId)) throw new AppError('session_not_found')
      return { userId: sub, sessionId, aal: payload.aal === 'aal2' ? 'aal2' : 'aal1', expiresAt: exp * 1000 }
    } catch (error) {
      if (error instanceof AppError) throw error
      if (isJoseError(error)) throw badJwt(error)
      throw error
    }
  }
}

/** The library throws a TypeError for a malformed header; treat it as a token without a key. */
function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}

function readBearer(authorization: string | undefined): string {
  if (!authorization) throw new AppError('no_authorization')
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!token) throw new AppError('no_authorization')
  return token
}

const isJoseError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_J')

/** Clients match on the part before the comma. */
const badJwt = (cause: Error & { code: string }) =>
  new AppError('bad_jwt', {
    cause,
    message: `invalid JWT: unable to parse or verify signature, ${cause.code === 'ERR_JWT_EXPIRED' ? 'token is expired' : 'token is malformed or not ours'}`,
  })
