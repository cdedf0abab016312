import { type APIRequestContext, expect } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { type Account, publishableKey, type Session } from './accounts.ts'
import { codeIn, ensureConfirmed, waitForMessage } from './emails.ts'

/**
 * The code of an authenticator app, `stepsAhead` 30-second steps from now. Each code works once, and not after a later
 * one, so a second sign-in uses the next code instead of waiting.
 */
export const totpCode = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })

/** Calls the auth API with a token, without a page. */
async function call<Body>(api: APIRequestContext, token: string, path: string, data: object): Promise<Body> {
  const headers = { apikey: publishableKey, Authorization: `Bearer ${token}` }
  const response = await api.post(`/auth/v1/${path}`, { headers, data })
  expect(response.status(), `${path}: ${await response.text()}`).toBe(200)
  return (await response.json()) as Body
}

/** Sets up an authenticator app. The returned account has the session that verified its first code. */
export async function addTotp(api: APIRequestContext, account: Account): Promise<{ account: Account; secret: string }> {
  await ensureConfirmed(api, account)
  const factor = await call<{ id: string; totp: { secret: string } }>(api, account.session.access_token, 'factors', {
    factor_type: 'totp',
  })
  const { secret } = factor.totp
  const challenge = await call<{ id: string }>(api, account.session.access_token, `factors/${factor.id}/challenge`, {})
  const session = await call<Session>(api, account.session.access_token, `factors/${factor.id}/verify`, {
    challenge_id: challenge.id,
    code: totpCode(secret),
  })
  return { account: { ...account, session }, secret }
}

export async function addPhone(api: APIRequestContext, account: Account, phone: string): Promise<Account> {
  await ensureConfirmed(api, account)
  const factor = await call<{ id: string }>(api, account.session.access_token, 'factors', {
    factor_type: 'phone',
    phone,
  })
  const challenge = await call<{ id: string }>(api, account.session.access_token, `factors/${factor.id}/challenge`, {})
  const session = await call<Session>(api, account.session.access_token, `factors/${factor.id}/verify`, {
    challenge_id: challenge.id,
    code: codeIn(await waitForMessage(api, phone)),
  })
  return { ...account, session }
}

/** Completes two-step verification with the account's authenticator app. */
export async function passTotp(api: APIRequestContext, token: string, code: string): Promise<Session> {
  const response = await api.get('/auth/v1/user', { headers: { Authorization: `Bearer ${token}` } })
  const { factors } = (await response.json()) as { factors: { id: string; factor_type: string }[] }
  const factor = factors.find(({ factor_type }) => factor_type === 'totp')
  const challenge = await call<{ id: string }>(api, token, `factors/${factor?.id}/challenge`, {})
  return call(api, token, `factors/${factor?.id}/verify`, { challenge_id: challenge.id, code })
}
