import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { callAs } from './support/accounts.ts'
import { expect, test, toast } from './support/test.ts'

const callback = 'http://127.0.0.1:9/callback'

/** What an assistant on this machine keeps between its start and the answer of the consent page. */
function createAssistant() {
  let client: StoredOAuthClientInformation | undefined
  let stored: StoredOAuthTokens | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  let opened: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'Counter helper',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => 'its-state',
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information
    },
    tokens: () => stored,
    saveTokens: (tokens) => {
      stored = tokens
    },
    redirectToAuthorization: (url) => {
      opened = url
    },
    saveCodeVerifier: (codeVerifier) => {
      verifier = codeVerifier
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => {
      discovered = state
    },
    discoveryState: () => discovered,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') stored = undefined
    },
  }
  return { provider, consentPage: () => opened?.href ?? '', forgetConsentPage: () => (opened = undefined) }
}

const newClient = () => new Client({ name: 'Counter helper', version: '1' }, { versionNegotiation: { mode: 'auto' } })

test('the official client registers, is allowed on the page, searches, fills in a prompt for the second store, records how it went, and ends with Disconnect', async ({
  page,
  login,
  signUpSubscriber,
  baseURL,
}) => {
  const account = await signUpSubscriber()
  const ask = <Answer>(name: string, body: object) => callAs<Answer>(page.request, account, name, body)
  for (const [name, city] of [
    ['Elm Street', 'Akron'],
    ['Second Avenue', 'Toledo'],
  ])
    await ask('save-location', {
      id: crypto.randomUUID(),
      name: { from: '', to: name },
      changes: { city: { from: '', to: city } },
    })
  await login(account)
  const assistant = createAssistant()
  const address = new URL('/mcp', baseURL)
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider: assistant.provider })

  const first = transport()
  await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError)
  const consent = new URL(assistant.consentPage())
  expect(Object.fromEntries(consent.searchParams)).toMatchObject({
    resource: address.href,
    code_challenge_method: 'S256',
    state: 'its-state',
  })
  await page.route(`${callback}?*`, (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'Back in the assistant' }),
  )
  await page.goto(consent.href)
  await expect(page.getByText('Counter helper', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page.getByText('Back in the assistant')).toBeVisible()
  const answer = new URL(page.url()).searchParams
  expect(answer.get('state')).toBe('its-state')
  await first.finishAuth(answer)

  const client = newClient()
  await client.connect(transport())
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: input })
    expect(isError ?? false, JSON.stringify(content)).toBe(false)
    return structuredContent as Record<string, unknown>
  }
  const { results } = await call('search', { query: 'reply to a review', kinds: ['prompt'] })
  const ids = (results as { id: string }[]).map(({ id }) => id)
  expect(ids).toContain('prompt:marketing-review-reply')
  const { messages } = await client.getPrompt({
    name: 'marketing-review-reply',
    arguments: { store: 'Second Avenue' },
  })
  expect(JSON.stringify(messages)).toContain('Second Avenue')
  expect(JSON.stringify(messages)).not.toContain('Elm Street')
  await call('mark_tried', { id: 'prompt:marketing-review-reply', outcome: 'worked', minutesPerWeek: 20 })
  await page.goto('/portal/value')
  await expect(page.getByRole('main')).toContainText('Reply to a')

  await page.goto('/account/assistants')
  await page.getByRole('button', { name: 'Disconnect: Counter helper' }).click()
  await expect(toast(page, 'Counter helper is disconnected')).toBeVisible()
  // Neither the access token nor the refresh token is of use: the client has to ask the person again.
  assistant.forgetConsentPage()
  await expect(client.callTool({ name: 'search', arguments: { query: 'reply' } })).rejects.toThrow(UnauthorizedError)
  expect(assistant.consentPage()).toContain('/auth/v1/oauth/authorize')
})
