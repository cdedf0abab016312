import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { FeatureDeps } from '#server/feature.ts'
import { setDefaultHeader } from '#server/http/default-header.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { readBody, rejectUnstorableText } from '#server/http/read-json.ts'
import { wantsHtml } from '#server/http/serve-client-build.ts'
import { pageLayout } from '#server/pages/page-layout.ts'
import { rightNames } from '#shared/domain/connection-rights.ts'
import { AppError } from '#shared/errors.ts'
import { pageLinks, readPage } from '../admin-api/admin-list-users.ts'
import { createRequireServiceRole } from '../admin-api/require-service-role.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { ProtocolError } from '../protocol-error.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { issuer } from '../sessions/access-token.ts'
import { clientInfo } from '../sessions/client-info.ts'
import { readCaller } from '../sessions/read-caller.ts'
import { decideAuthorization, readAuthorization, requestAuthorization } from './authorize.ts'
import { authMethods, clientMetadata, grantTypes, parseClientMetadata } from './client-metadata.ts'
import { hashToken, mcpResource, newSecret } from './connection-tokens.ts'
import { exchangeTokens, revokeToken } from './exchange-tokens.ts'
import { endGrant, listGrants } from './grants.ts'
import {
  authenticateClient,
  changeClient,
  findClient,
  listClients,
  publicIdOf,
  registerClient,
  toWireClient,
} from './oauth-clients.ts'
import { answerOAuthError, OAuthError } from './oauth-error.ts'

type OAuthDeps = AuthDeps & Pick<FeatureDeps, 'fetchText'>

const consentInput = z.object({ action: z.enum(['approve', 'deny'], "action must be 'approve' or 'deny'") })

/** The OAuth 2.1 server of `/auth/v1`, compatible with auth-js. Its tokens open our MCP server and nothing else. */
export function oauthRoutes(deps: OAuthDeps) {
  const { db } = deps.database
  const readUser = async (c: Context<AppEnv>) => {
    const who = await readCaller(deps, c)
    requireMfaCompleted(who)
    return who
  }
  const oauth = new Hono<AppEnv>()
    .onError(answerOAuthError)
    .get('/oauth/authorize', async (c) => {
      await deps.limits.consume('connect', c.var.clientAddress)
      try {
        return c.redirect(await requestAuthorization(deps, new URL(c.req.url).searchParams))
      } catch (error) {
        const isShown = error instanceof OAuthError && wantsHtml(c.req.header('accept'))
        if (isShown) return c.html(refusalPage(deps, error.message), 400)
        throw error instanceof OAuthError ? new OAuthError('invalid_request', error.message) : error
      }
    })
    .post('/oauth/clients/register', async (c) => {
      await deps.limits.consume('register', c.var.clientAddress)
      const metadata = parseClientMetadata(await readBody(c))
      const registered = await db.transaction((tx) => registerClient(tx, metadata, 'dynamic', deps.clock()))
      return c.json(toWireClient(registered.client, registered.secret), 201)
    })
    .post('/oauth/token', async (c) => {
      await deps.limits.consume('refresh', c.var.clientAddress)
      const body = await readFields(c)
      return c.json(await exchangeTokens(deps, await authenticateClient(deps, c, body), body))
    })
    .post('/oauth/revoke', async (c) => {
      await deps.limits.consume('refresh', c.var.clientAddress)
      const body = await readFields(c)
      const client = await authenticateClient(deps, c, body)
      if (!body.token) throw new OAuthError('invalid_request', 'token is required')
      await revokeToken(deps, client, body.token)
      return c.json({})
    })
  const forPeople = new Hono<AppEnv>()
    .get('/oauth/authorizations/:id', async (c) => {
      const who = await readUser(c)
      const found = await readAuthorization(deps, c.req.param('id'))
      if (!found) throw new ProtocolError('oauth_authorization_not_found')
      const { authorization, client } = found
      return c.json({
        authorization_id: authorization.authorizationId,
        redirect_uri: authorization.redirectUri,
        client: toGrantClient(client),
        user: { id: who.userId, email: who.email },
        scope: authorization.scope,
      })
    })
    .post('/oauth/authorizations/:id/consent', async (c) => {
      const who = await readUser(c)
      const { action } = await readAuthBody(c, consentInput)
      const decision = { authorizationId: c.req.param('id'), client: clientInfo(deps, c) }
      const rights = action === 'approve' ? undefined : null
      const redirectUrl = await decideAuthorization(deps, who, { ...decision, rights })
      if (!redirectUrl) throw new ProtocolError('oauth_authorization_not_found')
      return c.json({ redirect_url: redirectUrl })
    })
    .get('/user/oauth/grants', async (c) => {
      const grants = await listGrants(db, (await readUser(c)).userId)
      return c.json(
        grants.map(({ client, scopes, grantedAt }) => ({
          client: toGrantClient(client),
          scopes: scopes.split(' '),
          granted_at: grantedAt.toISOString(),
        })),
      )
    })
    .delete('/user/oauth/grants', async (c) => {
      const who = await readUser(c)
      const client = await findClient(db, c.req.query('client_id') ?? '')
      const isEnded = client && (await endGrant(deps, { ...who, client: clientInfo(deps, c) }, { clientId: client.id }))
      if (!isEnded) throw new ProtocolError('oauth_consent_not_found')
      return c.body(null, 204)
    })
  return new Hono<AppEnv>().route('/', oauth).route('/', forPeople).route('/', adminClientRoutes(deps))
}

const toGrantClient = (
  client: Parameters<typeof publicIdOf>[0] & {
    clientName: string | null
    clientUri: string | null
    logoUri: string | null
  },
) => ({
  id: publicIdOf(client),
  name: client.clientName ?? '',
  uri: client.clientUri ?? '',
  logo_uri: client.logoUri ?? '',
})

const clientIdOf = (c: Context) => c.req.param('id') ?? ''

function adminClientRoutes(deps: OAuthDeps) {
  const requireService = createRequireServiceRole(deps)
  const found = <T>(client: T | null): T => {
    if (!client) throw new ProtocolError('oauth_client_not_found')
    return client
  }
  return new Hono<AppEnv>()
    .use('/admin/oauth/*', async (c, next) => {
      await requireService(c.req.header('authorization'))
      return next()
    })
    .get('/admin/oauth/clients', async (c) => {
      const page = readPage(c.req.query('page'), c.req.query('per_page'))
      const { clients, total } = await listClients(deps, page)
      c.header('X-Total-Count', String(total))
      c.header('Link', pageLinks(`${issuer(deps.config.publicUrl)}/admin/oauth/clients`, page, total))
      return c.json({ clients: clients.map((client) => toWireClient(client)), aud: 'authenticated' })
    })
    .post('/admin/oauth/clients', async (c) => {
      const metadata = await readAuthBody(c, clientMetadata)
      const now = deps.clock()
      const { client, secret } = await deps.database.db.transaction(async (tx) => {
        const event = { event: 'oauth_client_created', userId: null, email: '', by: 'operator', now } as const
        await recordSecurityEvent(tx, { ...event, note: metadata.client_name ?? '' })
        return registerClient(tx, metadata, 'manual', now)
      })
      return c.json(toWireClient(client, secret), 201)
    })
    .get('/admin/oauth/clients/:id', async (c) =>
      c.json(toWireClient(found(await findClient(deps.database.db, clientIdOf(c))))),
    )
    .put('/admin/oauth/clients/:id', async (c) => {
      const metadata = await readAuthBody(c, clientMetadata.partial())
      if (metadata.token_endpoint_auth_method) {
        throw new AppError('validation_failed', { message: 'token_endpoint_auth_method can’t be changed' })
      }
      return c.json(toWireClient(found(await changeClient(deps, clientIdOf(c), { metadata }))))
    })
    .delete('/admin/oauth/clients/:id', async (c) => {
      found(await changeClient(deps, clientIdOf(c), 'delete'))
      return c.body(null, 204)
    })
    .post('/admin/oauth/clients/:id/regenerate_secret', async (c) => {
      const client = found(await findClient(deps.database.db, clientIdOf(c)))
      if (client.clientType === 'public') {
        throw new AppError('validation_failed', { message: 'Cannot regenerate secret for public client' })
      }
      const secret = newSecret()
      const changed = await changeClient(deps, client.id, { secretHash: hashToken(secret) })
      return c.json(toWireClient(found(changed), secret))
    })
}

/** The fields of a form, or of JSON as the hosted service accepts it. @throws OAuthError for a field that is repeated */
async function readFields(c: Context<AppEnv>): Promise<Record<string, string>> {
  const isJson = c.req.header('content-type')?.includes('json')
  const entries = isJson
    ? Object.entries(
        z
          .record(z.string(), z.unknown())
          .catch({})
          .parse(await readBody(c)),
      )
    : [...new URLSearchParams(await c.req.text())]
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || value === '') continue
    if (name in fields) throw new OAuthError('invalid_request', `${name} is repeated`)
    fields[name] = value
  }
  rejectUnstorableText({ ...fields })
  return fields
}

const refusalPage = ({ config }: OAuthDeps, reason: string) =>
  pageLayout({
    title: 'This connection can’t be made',
    shape: 'column',
    config,
    main: html`<h1>This connection can’t be made</h1>
      <p class="lead">The assistant sent a request that we can’t accept. Remove the connection there and add it again.</p>
      <p class="note">${reason}</p>`,
  })

/** What clients read about our OAuth and MCP server, at each of the addresses that they try. */
export function oauthMetadataRoutes({ config }: Pick<AuthDeps, 'config'>) {
  const { publicUrl } = config
  const base = `${issuer(publicUrl)}/oauth`
  const server = () => ({
    issuer: publicUrl,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/clients/register`,
    revocation_endpoint: `${base}/revoke`,
    scopes_supported: rightNames,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [mcpResource(publicUrl)],
  })
  const resource = () => ({
    resource: mcpResource(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: rightNames,
    bearer_methods_supported: ['header'],
    resource_name: config.settings.publication.name,
  })
  const answer = (read: () => object) => (c: Context<AppEnv>) => {
    setDefaultHeader(c, 'Cache-Control', 'public, max-age=300')
    return c.json(read())
  }
  return new Hono<AppEnv>()
    .get('/.well-known/oauth-authorization-server', answer(server))
    .get('/.well-known/oauth-authorization-server/mcp', answer(server))
    .get('/.well-known/oauth-authorization-server/auth/v1', answer(server))
    .get('/auth/v1/.well-known/oauth-authorization-server', answer(server))
    .get('/.well-known/oauth-protected-resource', answer(resource))
    .get('/.well-known/oauth-protected-resource/mcp', answer(resource))
}
