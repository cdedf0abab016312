import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { sweepConnections } from '#server/features/identity/auth/auth.jobs.ts'
import { readConnection } from '#server/features/identity/connections/read-connection.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { authorizeParameters, oauthClient, redirectUri } from '#tests/support/oauth-client.ts'

const serviceKey = 'sb_secret_for_tests_of_connections_0123456789'
let app: TestApp
let client: ReturnType<typeof oauthClient>
let member: TestUser
let clientId: string
beforeAll(async () => {
  app = await createTestApp({ env: { SERVICE_ROLE_KEY: serviceKey } })
  client = oauthClient(app)
  member = await buildUser(app)
})
beforeEach(async () => {
  clientId = (await client.register()).body.client_id ?? ''
  app.clock.advance(1)
})
afterAll(() => app.close())

/** Does something at a later time. */
async function after<T>(ms: number, work: () => Promise<T>): Promise<T> {
  app.clock.advance(ms)
  return work().finally(() => app.clock.advance(-ms))
}
const read = (token: string) => readConnection(app.deps, token)
const signedIn = async (user: TestUser) => {
  const official = clientFor(app, user.token)
  await official.auth.setSession({ access_token: user.token, refresh_token: user.refreshToken })
  return official.auth.oauth
}

describe('the metadata', () => {
  test.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/oauth-authorization-server/auth/v1',
    '/auth/v1/.well-known/oauth-authorization-server',
  ])('describes the server at %s, to pages of any origin', async (path) => {
    const answer = await app.request(path, { headers: { Origin: 'https://inspector.test' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toMatchObject({
      issuer: 'http://localhost:3000',
      authorization_endpoint: 'http://localhost:3000/auth/v1/oauth/authorize',
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  test.each(['', '/mcp'])('names the server that protects /mcp (%s)', async (path) => {
    expect(await (await app.request(`/.well-known/oauth-protected-resource${path}`)).json()).toMatchObject({
      resource: 'http://localhost:3000/mcp',
      authorization_servers: ['http://localhost:3000'],
    })
  })
})

describe('connecting', () => {
  test('leads from the request over the consent to tokens that stand for the person', async () => {
    const { url, authorizationId } = await client.authorize(authorizeParameters(clientId))
    expect(url?.pathname).toBe('/oauth/consent')
    const oauth = await signedIn(member)
    expect((await oauth.getAuthorizationDetails(authorizationId)).data).toEqual({
      authorization_id: authorizationId,
      redirect_uri: redirectUri,
      client: { id: clientId, name: 'Claude', uri: '', logo_uri: '' },
      user: { id: member.id, email: member.email },
      scope: 'library:read activity:write',
    })
    const { data } = await oauth.approveAuthorization(authorizationId)
    const back = new URL(data?.redirect_url ?? '')
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri)
    expect(back.searchParams.get('state')).toBe('the-state')
    expect(back.searchParams.get('iss')).toBe('http://localhost:3000')
    const { status, body, headers } = await client.redeem(clientId, back.searchParams.get('code') ?? '')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'library:read activity:write' })
    expect(await read(body.access_token ?? '')).toMatchObject({ userId: member.id, clientId })
    const mail = app.outbox.list(member.email).find(({ subject }) => subject.includes('assistant was connected'))
    expect(mail?.text).toContain('/account/assistants')
    expect((await oauth.approveAuthorization(authorizationId)).error?.code).toBe('oauth_authorization_not_found')
  })

  test('can be declined', async () => {
    const { authorizationId } = await client.authorize(authorizeParameters(clientId))
    const { data } = await (await signedIn(member)).denyAuthorization(authorizationId)
    const back = new URL(data?.redirect_url ?? '')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('the-state')
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('gives only what the person ticks, and nothing that their role lacks', async () => {
    const scope = 'library:read activity:write drafts:write openid'
    const { authorizationId } = await client.authorize(authorizeParameters(clientId, { scope }))
    const asked = await call(app, 'connection-request', { authorizationId }, member.token)
    expect(asked.body).toMatchObject({
      name: 'Claude',
      publishedBy: null,
      target: { kind: 'website', name: 'assistant.test' },
      rights: ['library:read', 'activity:write'],
    })
    const rights = ['library:read', 'drafts:write']
    const none = await call(app, 'answer-connection-request', { authorizationId, rights: [] }, member.token)
    expect(none.status).toBe(400)
    const answered = await call(app, 'answer-connection-request', { authorizationId, rights }, member.token)
    const code = new URL(String(answered.body.redirectUrl)).searchParams.get('code') ?? ''
    const { body } = await client.redeem(clientId, code)
    expect(body.scope).toBe('library:read')
  })

  test('takes a second step first', async () => {
    const { authorizationId } = await client.authorize(authorizeParameters(clientId))
    const user = await buildUser(app)
    const { error } = await (await signedIn(user)).approveAuthorization(authorizationId)
    expect(error).toBeNull()
    const pending = await client.authorize(authorizeParameters(clientId))
    await app.deps.database.prepared(
      'test-awaits',
      'update auth.sessions set awaits_second_factor = true where id = $1::uuid',
      [user.sessionId],
    )
    const answer = await app.request(`/auth/v1/oauth/authorizations/${pending.authorizationId}/consent`, {
      method: 'POST',
      headers: user.headers,
      body: JSON.stringify({ action: 'approve' }),
    })
    expect(answer.status).toBe(403)
    const body = { authorizationId: pending.authorizationId, rights: ['library:read'] }
    expect((await call(app, 'answer-connection-request', body, user.token)).status).toBe(403)
  })

  test('of a program on the person’s machine works from any port', async () => {
    const uris = ['http://127.0.0.1:3118/callback', 'http://localhost/callback', 'cursor://anysphere.cursor-mcp/oauth']
    const { body } = await client.register({ redirect_uris: uris })
    const id = body.client_id ?? ''
    const ask = async (uri: string) =>
      (await client.authorize(authorizeParameters(id, { redirect_uri: uri }))).url?.pathname
    expect(await ask('http://127.0.0.1:55555/callback')).toBe('/oauth/consent')
    expect(await ask('http://localhost:8080/callback')).toBe('/oauth/consent')
    expect(await ask('cursor://anysphere.cursor-mcp/oauth')).toBe('/oauth/consent')
    for (const uri of [
      'http://127.0.0.1:3118/other',
      'http://127.0.0.2:3118/callback',
      'https://127.0.0.1:3118/callback',
      'http://localhost.evil.test/callback',
      'http://localhost:80@evil.test/callback',
      'cursor://anysphere.cursor-mcp/oauth?x=1',
    ]) {
      expect(await ask(uri), uri).toBeUndefined()
    }
  })
})

describe('a request that isn’t right', () => {
  test.each([
    ['an unknown client', { client_id: crypto.randomUUID() }],
    ['a client that is no id', { client_id: 'x' }],
    ['no client', { client_id: null }],
    ['another redirect address', { redirect_uri: 'https://evil.test/callback' }],
    ['a longer redirect address', { redirect_uri: `${redirectUri}/more` }],
    ['a redirect address with a query', { redirect_uri: `${redirectUri}?x=1` }],
    ['no redirect address', { redirect_uri: null }],
  ])('with %s is never sent anywhere', async (_, changes) => {
    const answer = await client.authorize(authorizeParameters(clientId, changes))
    expect(answer).toMatchObject({ status: 400, url: null })
    expect(JSON.parse(answer.body).error).toBe('invalid_request')
    const page = await client.authorize(authorizeParameters(clientId, changes), { Accept: 'text/html' })
    expect(page.body).toContain('This connection can’t be made')
  })

  test.each([
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without method', { code_challenge_method: null }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an answer in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['another resource', { resource: 'https://elsewhere.test/mcp' }, 'invalid_target'],
    ['a long state', { state: 'x'.repeat(5_000) }, 'invalid_request'],
  ])('with %s goes back with an error', async (_, changes, error) => {
    const { url } = await client.authorize(authorizeParameters(clientId, changes))
    expect(url?.origin).toBe('https://assistant.test')
    expect(url?.searchParams.get('error')).toBe(error)
    expect(url?.searchParams.get('iss')).toBe('http://localhost:3000')
  })

  test('with a repeated parameter is refused', async () => {
    const twice = new URLSearchParams([...authorizeParameters(clientId), ['scope', 'drafts:write']])
    expect((await client.authorize(twice)).url?.searchParams.get('error')).toBe('invalid_request')
    const redirects = new URLSearchParams([...authorizeParameters(clientId), ['redirect_uri', 'https://evil.test/']])
    expect((await client.authorize(redirects)).status).toBe(400)
  })

  test('with characters that can’t be stored is refused', async () => {
    const nul = await client.authorize(authorizeParameters(clientId, { state: 'a\u0000b' }))
    expect(nul.status).toBe(400)
  })

  test('expires', async () => {
    const { authorizationId } = await client.authorize(authorizeParameters(clientId))
    const { error } = await after(21 * 60_000, async () =>
      (await signedIn(await buildUser(app))).getAuthorizationDetails(authorizationId),
    )
    expect(error?.code).toBe('oauth_authorization_not_found')
  })
})

describe('a code', () => {
  test.each([
    ['of another client', async (code: string) => client.redeem((await client.register()).body.client_id ?? '', code)],
    ['with another verifier', (code: string) => client.redeem(clientId, code, { code_verifier: 'x'.repeat(43) })],
    ['without a verifier', (code: string) => client.redeem(clientId, code, { code_verifier: '' })],
    [
      'with another redirect address',
      (code: string) => client.redeem(clientId, code, { redirect_uri: 'https://evil.test/' }),
    ],
    ['that is made up', () => client.redeem(clientId, 'made-up')],
  ])('%s isn’t exchanged', async (_, redeem) => {
    const code = await client.obtainCode(clientId, member.token)
    const { status, body } = await redeem(code)
    expect(status).toBe(400)
    expect(body.error).toBe('invalid_grant')
  })

  test('for another resource isn’t exchanged', async () => {
    const code = await client.obtainCode(clientId, member.token)
    const { body } = await client.redeem(clientId, code, { resource: 'https://elsewhere.test/mcp' })
    expect(body.error).toBe('invalid_target')
  })

  test('expires', async () => {
    const code = await client.obtainCode(clientId, member.token)
    const { body } = await after(121_000, () => client.redeem(clientId, code))
    expect(body.error).toBe('invalid_grant')
  })

  test('works once, and a second time ends its tokens', async () => {
    const { token, refreshToken, code, clientId: id } = await client.connect(member.token)
    expect(await read(token)).toBeDefined()
    expect((await client.redeem(id, code)).body.error).toBe('invalid_grant')
    expect(await read(token)).toBeUndefined()
    expect((await client.refresh(id, refreshToken)).body.error).toBe('invalid_grant')
  })

  test('doesn’t outlive the connection', async () => {
    const { body } = await client.register()
    const id = body.client_id ?? ''
    const code = await client.obtainCode(id, member.token)
    const { error } = await (await signedIn(member)).revokeGrant({ clientId: id })
    expect(error).toBeNull()
    expect((await client.redeem(id, code)).body.error).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  test('rotates, and reusing an earlier one ends all that followed', async () => {
    const { token, refreshToken, clientId: id } = await client.connect(member.token)
    const second = await client.refresh(id, refreshToken)
    expect(second.status).toBe(200)
    expect(await read(second.body.access_token ?? '')).toBeDefined()
    expect((await client.refresh(id, refreshToken)).body.error).toBe('invalid_grant')
    expect(await read(token)).toBeUndefined()
    expect(await read(second.body.access_token ?? '')).toBeUndefined()
    expect((await client.refresh(id, second.body.refresh_token ?? '')).body.error).toBe('invalid_grant')
  })

  test('of another client, for another resource or with more rights isn’t exchanged', async () => {
    const { refreshToken, clientId: id } = await client.connect(member.token)
    expect((await client.refresh(clientId, refreshToken)).body.error).toBe('invalid_grant')
    const elsewhere = { resource: 'https://elsewhere.test' }
    expect((await client.refresh(id, refreshToken, elsewhere)).body.error).toBe('invalid_target')
    expect((await client.refresh(id, refreshToken, { scope: 'members:read' })).body.error).toBe('invalid_scope')
    expect((await client.refresh(id, refreshToken, { scope: 'library:read' })).status).toBe(200)
  })

  test('expires when it isn’t used, and the connection with it', async () => {
    const { refreshToken, clientId: id } = await client.connect(member.token)
    await after(91 * dayMs, async () => {
      expect((await client.refresh(id, refreshToken)).body.error).toBe('invalid_grant')
      await sweepConnections(app.deps)
    })
    const { data } = await (await signedIn(member)).listGrants()
    expect(data?.map(({ client: { id: named } }) => named)).not.toContain(id)
  })

  test('can be revoked by its client alone', async () => {
    const { token, refreshToken, clientId: id } = await client.connect(member.token)
    expect((await client.revoke(clientId, refreshToken)).status).toBe(200)
    expect(await read(token)).toBeDefined()
    expect((await client.revoke(id, refreshToken)).status).toBe(200)
    expect(await read(token)).toBeUndefined()
    expect((await client.revoke(id, 'unknown')).status).toBe(200)
  })

  test.each([
    ['no grant type', {}, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['a name of an object’s member', { grant_type: 'constructor' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request'],
    ['no token', { grant_type: 'refresh_token' }, 'invalid_request'],
  ])('isn’t answered for a request with %s', async (_, fields, error) => {
    const { status, body } = await client.post('/token', { client_id: clientId, ...fields })
    expect(status).toBe(400)
    expect(body.error).toBe(error)
  })
})

describe('clients', () => {
  test('with a secret use it as they registered', async () => {
    const { body } = await client.register({ token_endpoint_auth_method: 'client_secret_basic' })
    const { client_id: id = '', client_secret: secret = '' } = body
    const code = await client.obtainCode(id, member.token)
    const fields = {
      grant_type: 'authorization_code',
      code,
      code_verifier: 'a-verifier-of-forty-three-characters-or-more-0',
    }
    const basic = (given: string) => ({ Authorization: `Basic ${btoa(`${id}:${given}`)}` })
    for (const [more, headers] of [
      [{ client_id: id }, {}],
      [{ client_id: id, client_secret: secret }, {}],
      [{}, basic('wrong')],
      [{ client_id: clientId }, basic(secret)],
    ] as const) {
      const refused = await client.post('/token', { ...fields, ...more }, headers)
      expect(refused.status).toBe(401)
      expect(refused.body.error).toBe('invalid_client')
      expect(refused.headers.get('www-authenticate')).toContain('Basic')
    }
    expect((await client.post('/token', fields, basic(secret))).status).toBe(200)
  })

  test.each([
    ['no redirect address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['data', { redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    ['a file', { redirect_uris: ['file:///etc/passwd'] }, 'invalid_redirect_uri'],
    ['http elsewhere', { redirect_uris: ['http://assistant.test/callback'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://assistant.test/#x'] }, 'invalid_redirect_uri'],
    ['a password', { redirect_uris: ['https://a:b@assistant.test/'] }, 'invalid_redirect_uri'],
    ['too many addresses', { redirect_uris: Array(11).fill(redirectUri) }, 'invalid_redirect_uri'],
    ['an endless name', { client_name: 'x'.repeat(2_000) }, 'invalid_client_metadata'],
    ['a name with NUL', { client_name: 7 }, 'invalid_client_metadata'],
    ['another way of authentication', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['a logo that is a script', { logo_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
  ])('aren’t registered with %s', async (_, metadata, error) => {
    const { status, body } = await client.register(metadata)
    expect(status).toBe(400)
    expect(body.error).toBe(error)
  })

  test('can’t hide their name in invisible characters', async () => {
    const { body } = await client.register({ client_name: 'Clau\u202ede\n\u200b  Pro' })
    expect(body.client_name).toBe('Clau de Pro')
  })

  test('that no one approves are deleted after a day; others stay', async () => {
    const unused = (await client.register()).body.client_id ?? ''
    await client.obtainCode(clientId, member.token)
    await (await signedIn(member)).revokeGrant({ clientId })
    await after(1.1 * dayMs, () => sweepConnections(app.deps))
    const admin = officialAdmin()
    expect((await admin.getClient(unused)).error?.code).toBe('oauth_client_not_found')
    expect((await admin.getClient(clientId)).error).toBeNull()
  })

  test('can’t be registered without limit from one network', async () => {
    const strict = await createTestApp({ database: app.database, env: { LIMIT_SIGN_UP: '5/300' } })
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await oauthClient(strict).register()).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

const officialAdmin = () =>
  createClient('http://localhost:3000', serviceKey, {
    global: { fetch: async (input, init) => app.app.fetch(new Request(input, init)) },
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth.admin.oauth

describe('the official client’s admin calls', () => {
  test('create, list, change and delete clients, and replace secrets', async () => {
    const admin = officialAdmin()
    app.clock.advance(1_000)
    const created = await admin.createClient({ client_name: 'Partner', redirect_uris: [redirectUri] })
    const { client_id: id = '', client_secret: secret } = created.data ?? {}
    expect(created.data).toMatchObject({ client_type: 'confidential', registration_type: 'manual' })
    expect(secret).toBeTruthy()
    const { data } = await admin.listClients({ page: 1, perPage: 1 })
    expect(data.clients.map((listed) => listed.client_id)).toEqual([id])
    expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2 })
    const changed = await admin.updateClient(id, { logo_uri: 'https://partner.test/logo.png' })
    expect(changed.data).toMatchObject({ client_name: 'Partner', logo_uri: 'https://partner.test/logo.png' })
    const renewed = await admin.regenerateClientSecret(id)
    expect(renewed.data?.client_secret).not.toBe(secret)
    expect((await admin.getClient(id)).data).not.toHaveProperty('client_secret')
    expect((await admin.deleteClient(id)).error).toBeNull()
    expect((await admin.getClient(id)).error?.code).toBe('oauth_client_not_found')
    const { error } = await admin.createClient({ client_name: 'Invalid', redirect_uris: [] })
    expect(error).toMatchObject({ code: 'validation_failed', message: expect.stringContaining('redirect_uris') })
  })

  test('are refused to members', async () => {
    const answer = await app.request('/auth/v1/admin/oauth/clients', { headers: member.headers })
    expect(answer.status).toBe(403)
  })

  test('end the connections of a deleted client', async () => {
    const { token, clientId: id } = await client.connect(member.token)
    await officialAdmin().deleteClient(id)
    expect(await read(token)).toBeUndefined()
  })
})

describe('a client that is named by its metadata document', () => {
  const address = 'https://assistant.test/oauth/client.json'
  const connectWith = async (text: string | (() => never), clientIdGiven = address) => {
    const fetched: string[] = []
    const fetchText = async (url: string) => {
      fetched.push(url)
      return typeof text === 'string' ? text : text()
    }
    const server = oauthClient({ app: createApp({ ...app.deps, fetchText }) })
    return { ...(await server.authorize(authorizeParameters(clientIdGiven))), fetched, server }
  }
  const document = { client_id: address, client_name: 'Documented', redirect_uris: [redirectUri] }

  test('needs no registration', async () => {
    const { authorizationId, server } = await connectWith(JSON.stringify(document))
    const asked = await call(app, 'connection-request', { authorizationId }, member.token)
    expect(asked.body).toMatchObject({ name: 'Documented', publishedBy: 'assistant.test' })
    const code = await server.obtainCode(address, member.token)
    const { status, body } = await server.redeem(address, code)
    expect(status).toBe(200)
    expect(await read(body.access_token ?? '')).toMatchObject({ clientId: address })
    const oauth = await signedIn(member)
    expect((await oauth.listGrants()).data?.[0]?.client).toMatchObject({ id: address, name: 'Documented' })
    expect((await oauth.revokeGrant({ clientId: address })).error).toBeNull()
    expect(await read(body.access_token ?? '')).toBeUndefined()
  })

  test.each([
    ['that names another address', JSON.stringify({ ...document, client_id: 'https://evil.test/client.json' })],
    ['without redirect addresses', JSON.stringify({ client_id: address })],
    ['with a secret', JSON.stringify({ ...document, token_endpoint_auth_method: 'client_secret_post' })],
    ['that is no JSON', '<html>'],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['nested deeply', '['.repeat(100_000)],
  ])('%s isn’t accepted', async (_, text) => {
    const answer = await after(11 * 60_000, () => connectWith(text))
    expect(answer).toMatchObject({ status: 400, url: null })
  })

  test.each([
    'http://assistant.test/client.json',
    'https://assistant.test/',
    'https://assistant.test:8443/client.json',
    'https://user:pass@assistant.test/client.json',
    'https://assistant.test/client.json#x',
    'https://assistant.test/a/../client.json',
    'file:///etc/passwd',
  ])('isn’t read from %s', async (given) => {
    const answer = await connectWith(JSON.stringify({ ...document, client_id: given }), given)
    expect(answer.status).toBe(400)
    expect(answer.fetched).toEqual([])
  })

  test.each(['https://127.0.0.1/client.json', 'https://10.0.0.1/client.json', 'https://[::1]/client.json'])(
    'isn’t read from the private address %s',
    async (given) => {
      const answer = await client.authorize(authorizeParameters(given))
      expect(answer.status).toBe(400)
      expect(answer.body).toContain('private_network')
    },
  )
})

describe('an access token of a connection', () => {
  test.each([
    ['GET', '/auth/v1/user'],
    ['GET', '/auth/v1/user/oauth/grants'],
    ['GET', '/auth/v1/admin/users'],
    ['GET', '/rest/v1/user_roles?select=role'],
    ['POST', '/functions/v1/check-subscription'],
    ['POST', '/functions/v1/admin-users'],
    ['POST', '/functions/v1/list-connections'],
    ['GET', '/api/v1/members'],
  ])('doesn’t open %s %s', async (method, path) => {
    const owner = await buildUser(app, { admin: true })
    const { token, refreshToken } = await client.connect(owner.token)
    for (const given of [token, refreshToken]) {
      const answer = await app.request(path, {
        method,
        headers: { Authorization: `Bearer ${given}`, 'Content-Type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      })
      expect([401, 403]).toContain(answer.status)
    }
  })

  test('isn’t a session’s, and a session’s isn’t one', async () => {
    expect(await read(member.token)).toBeUndefined()
    expect(await read(serviceKey)).toBeUndefined()
  })
})
