import { createHash } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { addTotp, totpCode } from './support/factors.ts'
import { inspect } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

const callback = 'http://127.0.0.1:9/callback'
const verifier = 'a-verifier-of-forty-three-characters-or-more-0'

/** An assistant on this machine, from its registration to the address that it opens. */
async function registerAssistant(request: APIRequestContext) {
  const registered = await request.post('/auth/v1/oauth/clients/register', {
    data: { client_name: 'Desk helper', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    state: 'its-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const exchange = async (fields: Record<string, string>) => {
    const answer = await request.post('/auth/v1/oauth/token', { form: { client_id: clientId, ...fields } })
    return { status: answer.status(), body: (await answer.json()) as Record<string, string> }
  }
  return { address: `/auth/v1/oauth/authorize?${query}`, exchange }
}

test('an assistant is connected after signing in with a second step, does what was ticked, and is disconnected', async ({
  page,
  request,
  signUpConfirmed,
}) => {
  const { account, secret } = await addTotp(request, await signUpConfirmed())
  const { address, exchange } = await registerAssistant(request)
  await page.route(`${callback}?*`, (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'Back in the assistant' }),
  )
  await page.goto(address)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('Authenticator code').fill(totpCode(secret, 1))

  await expect(page.getByText('Desk helper', { exact: true })).toBeVisible()
  await expect(page.getByText(account.email)).toBeVisible()
  await expect(page.getByText('A program on this device (127.0.0.1:9)')).toBeVisible()
  await expect(page.getByText('any program can use it')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(4)
  await inspect(page, 'oauth-consent')
  await page.getByRole('checkbox', { name: /^Save items/ }).uncheck()
  await page.getByRole('button', { name: 'Allow access' }).click()

  await expect(page.getByText('Back in the assistant')).toBeVisible()
  const answer = new URL(page.url()).searchParams
  expect(answer.get('state')).toBe('its-state')
  const code = answer.get('code') ?? ''
  const tokens = await exchange({ grant_type: 'authorization_code', code, code_verifier: verifier })
  expect(tokens.body.scope).toBe('library:read business:read assignments:write')

  await page.goto('/account/assistants')
  const row = page.getByRole('list', { name: 'Connected assistants' }).getByRole('listitem').first()
  await expect(row).toContainText('Desk helper')
  await expect(row).toContainText('Find and read everything your plan includes')
  await expect(row).not.toContainText('Save items')
  await inspect(page, 'account-assistants')
  await page.getByRole('button', { name: 'Disconnect: Desk helper' }).click()
  await expect(toast(page, 'Desk helper is disconnected')).toBeVisible()
  await expect(page.getByText('No assistants connected.')).toBeVisible()
  const refresh = await exchange({ grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token ?? '' })
  expect(refresh).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('declining sends an answer without a code, and a request works once', async ({ page, request, loginAs }) => {
  await loginAs('pro')
  const { address } = await registerAssistant(request)
  await page.route(`${callback}?*`, (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'Back in the assistant' }),
  )
  await page.goto(address)
  const consent = page.url()
  await page.getByRole('button', { name: 'Don’t allow' }).click()
  await expect(page.getByText('Back in the assistant')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  await page.goto(consent)
  await expect(page.getByRole('alert').filter({ hasText: 'Start again in the assistant' })).toBeVisible()
})
