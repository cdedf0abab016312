import { createHash } from 'node:crypto'
import { clientFor } from './client-for.ts'
import type { TestApp } from './create-test-app.ts'

const verifier = 'a-verifier-of-forty-three-characters-or-more-0'
export const redirectUri = 'https://assistant.test/callback'

export const authorizeParameters = (clientId: string, changes: Record<string, string | null> = {}) => {
  const all = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'library:read activity:write',
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: 'http://localhost:3000/mcp',
    ...changes,
  }
  return new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : ([[name, value]] as [string, string][]))),
  )
}

/** The steps of an assistant that connects, over HTTP. */
export function oauthClient(server: Pick<TestApp, 'app'>) {
  const base = 'http://localhost:3000/auth/v1/oauth'
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await server.app.request(`${base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields),
    })
    const body = (await answer.json()) as Record<string, string>
    return { status: answer.status, body, headers: answer.headers }
  }
  const self = {
    async register(metadata: Record<string, unknown> = {}) {
      const answer = await server.app.request(`${base}/clients/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Claude',
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'none',
          ...metadata,
        }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, string> }
    },
    async authorize(parameters: URLSearchParams, headers: Record<string, string> = {}) {
      const answer = await server.app.request(`${base}/authorize?${parameters}`, { headers })
      const to = answer.headers.get('location')
      const url = to === null ? null : new URL(to)
      return {
        status: answer.status,
        url,
        authorizationId: url?.searchParams.get('authorization_id') ?? '',
        body: to === null ? await answer.text() : '',
      }
    },
    /** From the registered client to its code, with the official client's approval. */
    async obtainCode(clientId: string, userToken: string, changes: Record<string, string | null> = {}) {
      const { authorizationId } = await self.authorize(authorizeParameters(clientId, changes))
      const official = clientFor(server, userToken)
      const session = { access_token: userToken, refresh_token: 'unused' }
      await official.auth.setSession(session)
      const { data, error } = await official.auth.oauth.approveAuthorization(authorizationId)
      if (error) throw error
      return new URL(data.redirect_url).searchParams.get('code') ?? ''
    },
    redeem: (clientId: string, code: string, changes: Record<string, string> = {}) =>
      post('/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        ...changes,
      }),
    refresh: (clientId: string, refreshToken: string, changes: Record<string, string> = {}) =>
      post('/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...changes }),
    revoke: (clientId: string, token: string) => post('/revoke', { client_id: clientId, token }),
    post,
    /** A connection of a new client, made by all the steps. */
    async connect(userToken: string, changes: Record<string, string | null> = {}) {
      const { body } = await self.register()
      const clientId = body.client_id ?? ''
      const code = await self.obtainCode(clientId, userToken, changes)
      const { body: tokens } = await self.redeem(clientId, code)
      return { clientId, code, token: tokens.access_token ?? '', refreshToken: tokens.refresh_token ?? '' }
    },
  }
  return self
}
