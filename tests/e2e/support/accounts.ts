import { type APIRequestContext, expect, request } from '@playwright/test'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'

/** The session response, as far as tests read it. The complete object goes into local storage. */
export type Session = { access_token: string; user: { id: string; email: string } }

export type Account = { email: string; password: string; session: Session }

/** State that a browser stores once it is signed in, for a context of its own. */
export const storageOf = (session: object, baseURL: string | undefined) => ({
  cookies: [],
  origins: [{ origin: baseURL ?? '', localStorage: [{ name: sessionKey, value: JSON.stringify(session) }] }],
})

export const publishableKey = 'sb_publishable_front_counter'

/** The test server's service key, for the admin API. */
export const serviceKey = 'sb_secret_a_key_for_journeys_that_is_long_enough'

/** Local storage key of the session on http://localhost. */
export const sessionKey = 'sb-localhost-auth-token'

/** The sandbox's demo accounts. */
export const demoKeys = ['admin', 'pro', 'team', 'new'] as const
export type DemoKey = (typeof demoKeys)[number]
export const demoPassword = 'front-counter'
export const demoEmail = (key: DemoKey) => `${key}@frontcounter.test`

export const newPassword = 'a quiet corner table'

let createdEmails = 0

/** An unused address, unique across workers. */
export const newEmail = () => `reader-${process.pid}-${Date.now().toString(36)}-${++createdEmails}@example.com`

async function requestSession(baseURL: string, path: string, email: string, password: string): Promise<Account> {
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
  requestSession(baseURL, '/auth/v1/signup', email, password)

export const signIn = (baseURL: string, email: string, password: string) =>
  requestSession(baseURL, '/auth/v1/token?grant_type=password', email, password)

/** Makes a product call as a user, without a page. */
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
