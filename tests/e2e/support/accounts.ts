import { type APIRequestContext, expect, request } from '@playwright/test'
import type { Preferences } from '#shared/contracts/preferences.ts'

/** What the auth service answers, as far as the journeys look at it; the whole object goes into local storage. */
export type Session = { access_token: string; user: { id: string; email: string } }

export type Account = { email: string; password: string; session: Session }

export const publishableKey = 'sb_publishable_front_counter'

/** Opens the operator's calls of the protocol on the server of these tests. */
export const serviceKey = 'sb_secret_a_key_for_journeys_that_is_long_enough'

/** Where the protocol's own client keeps the session of http://localhost. */
export const sessionKey = 'sb-localhost-auth-token'

/** The people whom the sandbox brings along. */
export const demoKeys = ['admin', 'pro', 'team', 'new'] as const
export type DemoKey = (typeof demoKeys)[number]
export const demoPassword = 'front-counter'
export const demoEmail = (key: DemoKey) => `${key}@frontcounter.test`

export const newPassword = 'a quiet corner table'

let made = 0

/** An address that nobody has, in any worker. */
export const newEmail = () => `reader-${process.pid}-${Date.now().toString(36)}-${++made}@example.com`

async function askForSession(baseURL: string, path: string, email: string, password: string): Promise<Account> {
  const api = await request.newContext({ baseURL })
  try {
    const response = await api.post(path, { headers: { apikey: publishableKey }, data: { email, password } })
    expect(response.status(), await response.text()).toBe(200)
    return { email, password, session: (await response.json()) as Session }
  } finally {
    await api.dispose()
  }
}

export const signUp = (baseURL: string, email = newEmail(), password = newPassword) =>
  askForSession(baseURL, '/auth/v1/signup', email, password)

export const signIn = (baseURL: string, email: string, password: string) =>
  askForSession(baseURL, '/auth/v1/token?grant_type=password', email, password)

/** A product call as somebody, without a page. */
export async function callAs<Answer>(api: APIRequestContext, account: Account, name: string, body: object = {}) {
  const response = await api.post(`/functions/v1/${name}`, {
    headers: { apikey: publishableKey, Authorization: `Bearer ${account.session.access_token}` },
    data: body,
  })
  expect(response.status(), `${name}: ${await response.text()}`).toBe(200)
  return (await response.json()) as Answer
}

export const savePreferences = (api: APIRequestContext, account: Account, preferences: Partial<Preferences>) =>
  callAs(api, account, 'update-preferences', { aiLevel: 'beginner', focusAreas: ['Operations'], ...preferences })
