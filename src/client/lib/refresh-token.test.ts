import { AuthClient } from '@supabase/auth-js'
import { afterEach, expect, test, vi } from 'vitest'
import { createTokenRefresher, expiringByDeviceClock } from './refresh-token.ts'

afterEach(() => void vi.useRealTimers())

type RefreshResult = string | { status: number }

/** Holds one token, like auth-js, and keeps it if a refresh fails. `next` is the result of a refresh. */
function holder(next: RefreshResult) {
  let token = 'old'
  const counted = { refreshes: 0 }
  const result = () => ({ data: { session: { access_token: token } } })
  return {
    counted,
    getSession: async () => result(),
    refreshSession: async () => {
      counted.refreshes += 1
      if (typeof next !== 'string') return { data: { session: null }, error: next }
      token = next
      return result()
    },
  }
}

test('calls rejected together, and a later one with the same token, share one refresh', async () => {
  const auth = holder('new')
  const refresh = createTokenRefresher(auth)
  expect(await Promise.all([refresh('old'), refresh('old')])).toEqual([{ token: 'new' }, { token: 'new' }])
  expect(await refresh('old')).toEqual({ token: 'new' })
  expect(auth.counted.refreshes).toBe(1)
})

test('a session whose refresh is rejected has ended', async () => {
  expect(await createTokenRefresher(holder({ status: 400 }))('old')).toBe('ended')
})

test('a server error or a rate limit does not end the session', async () => {
  for (const status of [0, 429, 503]) expect(await createTokenRefresher(holder({ status }))('old')).toBe('unknown')
})

test('a session that was replaced in the meantime is not refreshed', async () => {
  const auth = { ...holder('new'), getSession: async () => ({ data: { session: null } }) }
  expect(await createTokenRefresher(auth)('old')).toBe('ended')
  expect(auth.counted.refreshes).toBe(0)
})

const minuteMs = 60_000

test.each([
  ['an hour fast', 60 * minuteMs],
  ['almost an hour fast', 59 * minuteMs],
  ['a day fast', 1440 * minuteMs],
  ['right', 0],
  ['an hour slow', -60 * minuteMs],
])('a device whose clock is %s refreshes its token once an hour', async (_, offsetMs) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const serverStart = Date.UTC(2026, 10, 28)
  let elapsedMs = 0
  const moveTo = (ms: number) => {
    elapsedMs = ms
    vi.setSystemTime(serverStart + offsetMs + ms)
  }
  moveTo(0)
  let grants = 0
  const server = async () => {
    const expires_at = Math.round((serverStart + elapsedMs) / 1000) + 3600
    const tokens = { access_token: `token-${++grants}`, refresh_token: 'refresh', token_type: 'bearer' }
    return Response.json({ ...tokens, expires_in: 3600, expires_at, user: { id: 'reader' } })
  }
  const kept = new Map<string, string>()
  const auth = new AuthClient({
    url: 'http://localhost/auth/v1',
    persistSession: true,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    fetch: async () => expiringByDeviceClock(await server()),
  })
  await auth.signInWithPassword({ email: 'reader@example.com', password: 'a quiet corner table' })
  for (let minute = 0; minute < 180; minute++) {
    moveTo(minute * minuteMs)
    expect((await auth.getSession()).error).toBeNull()
  }
  expect(grants, 'the sign-in and a refresh before the end of each hour').toBe(1 + 3)
})

test('a refused sign-in and an answer without a session pass unchanged', async () => {
  for (const response of [
    Response.json({ expires_in: 1 }, { status: 400 }),
    Response.json({ id: 'a' }),
    new Response(null, { status: 204 }),
  ]) {
    expect(await expiringByDeviceClock(response)).toBe(response)
  }
})
