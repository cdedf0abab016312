import { expect, test } from 'vitest'
import { createTokenRefresher } from './refresh-token.ts'

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
