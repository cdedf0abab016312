import { eq } from 'drizzle-orm'
import { oauthAuthorizations, oauthClients, oauthConsents } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import type { Principal } from '#server/http/principal.ts'
import { rejectUnstorableText } from '#server/http/read-json.ts'
import { type Right, rightNames, rightsFor, rightsLeft } from '#shared/domain/connection-rights.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { notifySecurityChange } from '../security/security-event.ts'
import { requireAdminSecondFactor } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { hashToken, mcpResource, newSecret } from './connection-tokens.ts'
import { type OAuthClient, redirectUrisOf, requireClient } from './oauth-clients.ts'
import { OAuthError } from './oauth-error.ts'
import { matchesRedirectUri } from './redirect-uri.ts'

/** Time to sign in, or to sign up, and to decide. */
const pendingMs = 20 * minuteMs
const codeMs = 2 * minuteMs
const maxStateLength = 4_000
const maxScopeLength = 2_000

type AuthorizeDeps = Pick<AuthDeps, 'config' | 'database' | 'clock'> & Pick<FeatureDeps, 'fetchText'>

/**
 * Checks a request for a connection and stores it until the person decides.
 * @returns where the browser goes: to the consent page, or back to the client with an error
 * @throws OAuthError if client or redirect address are wrong, because then nothing may be sent there
 */
export async function requestAuthorization(deps: AuthorizeDeps, query: URLSearchParams): Promise<string> {
  rejectUnstorableText([...query])
  const names = [...query.keys()]
  const repeated = names.find((name, index) => names.indexOf(name) !== index && name !== 'resource')
  const given = (name: string) => query.get(name) ?? ''
  if (repeated === 'client_id' || repeated === 'redirect_uri') {
    throw new OAuthError('invalid_request', `${repeated} is repeated`)
  }
  if (!given('client_id')) throw new OAuthError('invalid_request', 'client_id is required')
  const client = await requireClient(deps, given('client_id'))
  const redirectUri = given('redirect_uri')
  if (!redirectUri) throw new OAuthError('invalid_request', 'redirect_uri is required')
  if (!matchesRedirectUri(redirectUrisOf(client), redirectUri)) {
    throw new OAuthError('invalid_request', 'redirect_uri isn’t registered for this client')
  }
  const state = given('state').length <= maxStateLength ? given('state') : ''
  const problem = findProblem(deps, query, repeated)
  if (problem) {
    const answer = { error: problem.error, error_description: problem.message }
    return redirectWith(deps, { redirectUri, state }, answer)
  }
  const authorizationId = newSecret()
  const now = deps.clock()
  const scopes = rightNames.filter((right) => given('scope').split(' ').includes(right))
  await deps.database.db.insert(oauthAuthorizations).values({
    id: crypto.randomUUID(),
    authorizationId,
    clientId: client.id,
    redirectUri,
    // Clients that ask for nothing that we know, such as `openid`, are offered everything.
    scope: (scopes.length > 0 ? scopes : rightNames).join(' '),
    state: state || null,
    resource: mcpResource(deps.config.publicUrl),
    codeChallenge: given('code_challenge'),
    createdAt: now,
    expiresAt: new Date(now.getTime() + pendingMs),
  })
  return `${deps.config.publicUrl}/oauth/consent?authorization_id=${authorizationId}`
}

/** What is wrong with a request whose client and redirect address are right. */
function findProblem(deps: AuthorizeDeps, query: URLSearchParams, repeated: string | undefined): OAuthError | null {
  const given = (name: string) => query.get(name) ?? ''
  if (repeated) return new OAuthError('invalid_request', `${repeated} is repeated`)
  if (given('state').length > maxStateLength) return new OAuthError('invalid_request', 'state is too long')
  if (given('scope').length > maxScopeLength) return new OAuthError('invalid_scope', 'scope is too long')
  if (given('response_type') !== 'code') {
    return new OAuthError('unsupported_response_type', 'response_type must be code')
  }
  if (!['', 'query'].includes(given('response_mode'))) {
    return new OAuthError('invalid_request', 'response_mode must be query')
  }
  if (given('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(given('code_challenge'))) {
    return new OAuthError('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256')
  }
  if (query.getAll('resource').some((resource) => !isResource(deps, resource))) {
    return new OAuthError('invalid_target', `The only resource is ${mcpResource(deps.config.publicUrl)}`)
  }
  return null
}

/** Some clients name the server without its path, or with a slash at the end. */
export const isResource = ({ config }: Pick<AuthDeps, 'config'>, given: string) =>
  [mcpResource(config.publicUrl), config.publicUrl].includes(given.replace(/\/$/, ''))

/** The redirect address with an answer, and with `iss` (RFC 9207). */
function redirectWith(
  { config }: Pick<AuthDeps, 'config'>,
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state && { state }), iss: config.publicUrl })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

export type PendingAuthorization = { authorization: typeof oauthAuthorizations.$inferSelect; client: OAuthClient }

/** @returns a request that waits for a decision; null if there is none, or it has expired or was decided */
export async function readAuthorization(
  { database, clock }: Pick<AuthDeps, 'database' | 'clock'>,
  authorizationId: string,
): Promise<PendingAuthorization | null> {
  const [found] = await database.db
    .select({ authorization: oauthAuthorizations, client: oauthClients })
    .from(oauthAuthorizations)
    .innerJoin(oauthClients, eq(oauthClients.id, oauthAuthorizations.clientId))
    .where(eq(oauthAuthorizations.authorizationId, authorizationId))
  const isPending = found?.authorization.status === 'pending' && found.authorization.expiresAt > clock()
  return isPending ? found : null
}

/** What a request asks for, this person can give, and the publisher allows. */
export const askedRights = (
  { config }: Pick<AuthDeps, 'config'>,
  { scope }: PendingAuthorization['authorization'],
  { staffRole }: Pick<Principal, 'staffRole'>,
): Right[] => [...rightsLeft(new Set(rightsFor(scope.split(' '), staffRole)), config.settings.publication.assistants)]

type Decision = {
  authorizationId: string
  /** What the person allows, of what was asked for; undefined for all of it. Null denies. */
  rights: readonly Right[] | null | undefined
  client: Pick<ClientInfo, 'ip' | 'userAgent'>
}

/**
 * Stores the person's decision. Approving makes the connection and notifies the owner.
 * @returns where the browser goes, with the code or an error; null if no such request waits
 * @throws AppError validation_failed without a right, mfa_setup_required for staff without the second factor
 */
export async function decideAuthorization(
  deps: Pick<AuthDeps, 'config' | 'database' | 'clock' | 'enqueue'>,
  who: Principal,
  { authorizationId, rights, client: device }: Decision,
): Promise<string | null> {
  const found = await readAuthorization(deps, authorizationId)
  if (!found) return null
  const { authorization, client } = found
  const asked = askedRights(deps, authorization, who)
  const allowed = rights === null ? null : asked.filter((right) => rights?.includes(right) ?? true)
  if (allowed?.length === 0) throw new AppError('validation_failed', { message: 'Allow at least one thing.' })
  if (allowed?.some((right) => rightsFor([right], null).length === 0)) await requireAdminSecondFactor(deps, who)
  const now = deps.clock()
  const code = newSecret()
  return deps.database.db.transaction(async (tx) => {
    const isIt = eq(oauthAuthorizations.id, authorization.id)
    const [locked] = await tx.select().from(oauthAuthorizations).where(isIt).for('update')
    if (locked?.status !== 'pending') return null
    if (!allowed) {
      await tx.update(oauthAuthorizations).set({ status: 'denied', userId: who.userId }).where(isIt)
      const answer = { error: 'access_denied', error_description: 'The person declined' }
      return redirectWith(deps, authorization, answer)
    }
    const expiresAt = new Date(now.getTime() + codeMs)
    const decided = { status: 'approved', userId: who.userId, approvedAt: now, expiresAt } as const
    await tx
      .update(oauthAuthorizations)
      .set({ ...decided, authorizationCode: hashToken(code) })
      .where(isIt)
    const consent = { scopes: allowed.join(' '), grantedAt: now }
    await tx
      .insert(oauthConsents)
      .values({ id: crypto.randomUUID(), userId: who.userId, clientId: client.id, ...consent })
      .onConflictDoUpdate({ target: [oauthConsents.userId, oauthConsents.clientId], set: consent })
    if (!client.metadataUrl) await tx.update(oauthClients).set({ updatedAt: now }).where(eq(oauthClients.id, client.id))
    const { userId, email } = who
    const note = client.clientName ?? ''
    await notifySecurityChange(tx, deps, { event: 'assistant_connected', userId, email, client: device, note, now })
    return redirectWith(deps, authorization, { code })
  })
}
