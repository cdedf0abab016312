import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { oauthAuthorizations, oauthConsents, oauthTokenFamilies, users } from '#server/db/schema/index.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { isBanned } from '../sessions/session-row.ts'
import { isResource } from './authorize.ts'
import {
  familyOfAccessToken,
  familyOfRefreshToken,
  hashToken,
  newRefreshToken,
  signConnectionToken,
  startTokenFamily,
} from './connection-tokens.ts'
import { endTokenFamily } from './end-connections.ts'
import type { OAuthClient } from './oauth-clients.ts'
import { OAuthError } from './oauth-error.ts'

/** A connection that isn't used for this long ends. */
export const refreshTokenMs = 90 * dayMs

type ExchangeDeps = Pick<AuthDeps, 'config' | 'database' | 'clock' | 'secrets'>
type Fields = Readonly<Record<string, string>>

const invalidGrant = (reason: string) => new OAuthError('invalid_grant', reason)

const exchanges = new Map([
  ['authorization_code', redeemCode],
  ['refresh_token', refresh],
])

/** Answers a token request. @throws OAuthError */
export async function exchangeTokens(deps: ExchangeDeps, client: OAuthClient, body: Fields) {
  const { grant_type: grantType = '', resource } = body
  if (!grantType) throw new OAuthError('invalid_request', 'grant_type is required')
  if (resource && !isResource(deps, resource))
    throw new OAuthError('invalid_target', 'The token isn’t for this resource')
  const exchange = exchanges.get(grantType)
  if (!exchange) throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token')
  if (!client.grantTypes.split(',').includes(grantType)) {
    throw new OAuthError('unauthorized_client', 'The client didn’t register this grant type')
  }
  // Returns refusals, so that what they end is committed.
  const outcome = await deps.database.db.transaction((tx) => exchange(tx, deps, client, body))
  if (outcome instanceof OAuthError) throw outcome
  const { token, expiresIn, refreshToken, scopes } = outcome
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    ...(client.grantTypes.includes('refresh_token') && { refresh_token: refreshToken }),
    scope: scopes,
  }
}

/** A code works once. Presenting it again ends the tokens that it was exchanged for (RFC 6749 §4.1.2). */
async function redeemCode(tx: Tx, deps: ExchangeDeps, client: OAuthClient, body: Fields) {
  const { code, code_verifier: verifier = '', redirect_uri: redirectUri } = body
  if (!code) return new OAuthError('invalid_request', 'code is required')
  const codeHash = hashToken(code)
  const isIt = eq(oauthAuthorizations.authorizationCode, codeHash)
  const [authorization] = await tx.select().from(oauthAuthorizations).where(isIt).for('update')
  if (!authorization) {
    const [family] = await tx.select().from(oauthTokenFamilies).where(eq(oauthTokenFamilies.codeHash, codeHash))
    if (family) await endReplayed(tx, deps, family)
    return invalidGrant('The code is unknown or was used already')
  }
  if (authorization.clientId !== client.id) return invalidGrant('The code was given to another client')
  if (authorization.expiresAt <= deps.clock()) return invalidGrant('The code has expired')
  if (redirectUri !== undefined && redirectUri !== authorization.redirectUri) {
    return invalidGrant('redirect_uri differs from the request')
  }
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  if (!/^[\w.~-]{43,128}$/.test(verifier) || challenge !== authorization.codeChallenge) {
    return invalidGrant('code_verifier doesn’t match')
  }
  const consent = await findConsent(tx, deps, { clientId: client.id, userId: authorization.userId })
  if (!consent) return invalidGrant('The connection has ended')
  await tx.delete(oauthAuthorizations).where(isIt)
  const resource = authorization.resource ?? ''
  return {
    ...(await startTokenFamily(tx, deps, { consentId: consent.id, resource, codeHash })),
    scopes: consent.scopes,
  }
}

async function refresh(tx: Tx, deps: ExchangeDeps, client: OAuthClient, body: Fields) {
  const { refresh_token: given, scope = '' } = body
  if (!given) return new OAuthError('invalid_request', 'refresh_token is required')
  const familyId = familyOfRefreshToken(given)
  const unknown = invalidGrant('The refresh token is unknown, or the connection has ended')
  if (!familyId) return unknown
  const [family] = await tx.select().from(oauthTokenFamilies).where(eq(oauthTokenFamilies.id, familyId)).for('update')
  if (!family) return unknown
  const isOfClient = and(eq(oauthConsents.id, family.consentId), eq(oauthConsents.clientId, client.id))
  const [connection] = await tx.select().from(oauthConsents).where(isOfClient)
  if (!connection) return unknown
  if (family.refreshTokenHash !== hashToken(given)) {
    await endReplayed(tx, deps, family)
    return invalidGrant('The refresh token was used already, so the connection has ended')
  }
  const now = deps.clock()
  if (now.getTime() - family.refreshedAt.getTime() > refreshTokenMs)
    return invalidGrant('The refresh token has expired')
  const consent = await findConsent(tx, deps, connection)
  if (!consent) return unknown
  const scopes = consent.scopes.split(' ')
  if (scope.split(' ').some((wanted) => wanted && !scopes.includes(wanted))) {
    return new OAuthError('invalid_scope', 'scope exceeds what was allowed')
  }
  const refreshToken = newRefreshToken(family.id)
  const renewed = { refreshTokenHash: hashToken(refreshToken), refreshedAt: now }
  await tx.update(oauthTokenFamilies).set(renewed).where(eq(oauthTokenFamilies.id, family.id))
  return { ...signConnectionToken(deps, family.id), refreshToken, scopes: consent.scopes }
}

/** The connection between a client and an account that can sign in. */
async function findConsent(
  tx: Tx,
  { clock }: Pick<ExchangeDeps, 'clock'>,
  { clientId, userId }: { clientId: string; userId: string | null },
) {
  if (!userId) return null
  const [found] = await tx
    .select({ consent: oauthConsents, banned_until: users.bannedUntil, deletedAt: users.deletedAt })
    .from(oauthConsents)
    .innerJoin(users, eq(users.id, oauthConsents.userId))
    .where(and(eq(oauthConsents.clientId, clientId), eq(oauthConsents.userId, userId)))
  return found && !found.deletedAt && !isBanned(found, clock()) ? found.consent : null
}

/** A token or code that was used before may have been stolen, so everything that followed from it ends. */
async function endReplayed(tx: Tx, { clock }: ExchangeDeps, family: typeof oauthTokenFamilies.$inferSelect) {
  const [owner] = await tx
    .select({ userId: users.id, email: users.email })
    .from(oauthConsents)
    .innerJoin(users, eq(users.id, oauthConsents.userId))
    .where(eq(oauthConsents.id, family.consentId))
  await endTokenFamily(tx, family)
  if (!owner) return
  const { userId, email } = owner
  await recordSecurityEvent(tx, { event: 'assistant_token_reused', userId, email: email ?? '', now: clock() })
}

/** Ends the tokens of an access or refresh token (RFC 7009). Unknown ones and those of other clients are ignored. */
export async function revokeToken(deps: ExchangeDeps, client: OAuthClient, token: string): Promise<void> {
  const familyId = familyOfRefreshToken(token) ?? familyOfAccessToken(deps, token)
  if (!familyId) return
  await deps.database.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ id: oauthTokenFamilies.id, consentId: oauthTokenFamilies.consentId })
      .from(oauthTokenFamilies)
      .innerJoin(oauthConsents, eq(oauthConsents.id, oauthTokenFamilies.consentId))
      .where(and(eq(oauthTokenFamilies.id, familyId), eq(oauthConsents.clientId, client.id)))
    if (found) await endTokenFamily(tx, found)
  })
}
