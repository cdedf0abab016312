import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#shared/errors.ts'
import { isUuid } from '../is-uuid.ts'
import { keyRing } from '../keys/signing-keys.ts'
import type { SessionRow } from './session-row.ts'

type TokenDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/**
 * What a good signature proves: who the token was made for, at which level, and until when. Rights are read from the
 * database.
 */
export type VerifiedToken = { userId: string; sessionId: string; aal: 'aal1' | 'aal2'; expiresAt: number }
type RememberedToken = VerifiedToken & { trustedUntil: number }

/** Verified tokens remembered; each is about a kilobyte. */
const rememberedTokens = 10_000
/** However long a token lives, its key is looked up again this often: a key may be withdrawn on another node. */
const trustMs = 60_000

export const issuer = (publicUrl: string) => `${publicUrl}/auth/v1`

/** Signs the claims of the protocol (section 3). The `jti` keeps two tokens of one second apart. */
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
 * Verifies `Authorization: Bearer …`. A check costs twice a database read, so a token found good is remembered, by its
 * whole text and for a few minutes at most; a change of the keys empties the memory.
 */
export function createVerifyBearer(deps: TokenDeps) {
  const ring = keyRing(deps)
  const verified = new LRUCache<string, RememberedToken>({ max: rememberedTokens })
  const underway = new Map<string, Promise<RememberedToken>>()
  ring.onChange(() => verified.clear())

  return async (authorization: string | undefined): Promise<VerifiedToken> => {
    const token = readBearer(authorization)
    const known = verified.get(token)
    if (known && known.trustedUntil > deps.clock().getTime()) return known
    // A page asks several things at once with a token that is new: they wait for one check.
    const running = underway.get(token)
    if (running) return running
    const check = remember(token).finally(() => underway.delete(token))
    underway.set(token, check)
    return check
  }

  async function remember(token: string): Promise<RememberedToken> {
    const fresh = await verifyToken(token)
    const remembered = { ...fresh, trustedUntil: Math.min(fresh.expiresAt, deps.clock().getTime() + trustMs) }
    verified.set(token, remembered)
    return remembered
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

/** The library throws a plain TypeError for a header that is none; to us it is a token without a known key. */
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

/** Clients match on the beginning and on 'unable to parse or verify signature'; the reason stands behind. */
const badJwt = (cause: Error & { code: string }) =>
  new AppError('bad_jwt', {
    cause,
    message: `invalid JWT: unable to parse or verify signature, ${cause.code === 'ERR_JWT_EXPIRED' ? 'token is expired' : 'token is malformed or not ours'}`,
  })
