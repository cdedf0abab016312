import { expect, test } from 'vitest'
import { createTokenRefresher } from './refresh-token.ts'

type Renewed = string | { status: number }

/** Holds one token like the auth client, which keeps it when a renewal fails; `next` is what a renewal brings. */
function holder(next: Renewed) {
  let token = 'old'
  const counted = { refreshes: 0 }
  const answer = () => ({ data: { session: { access_token: token } } })
  return {
    counted,
    getSession: async () => answer(),
    refreshSession: async () => {
      counted.refreshes += 1
      if (typeof next !== 'string') return { data: { session: null }, error: next }
      token = next
      return answer()
    },
  }
}

test('calls that are refused together, and one that comes late with the same token, share one renewal', async () => {
  const auth = holder('new')
  const renew = createTokenRefresher(auth)
  expect(await Promise.all([renew('old'), renew('old')])).toEqual([{ token: 'new' }, { token: 'new' }])
  expect(await renew('old')).toEqual({ token: 'new' })
  expect(auth.counted.refreshes).toBe(1)
})

test('a session whose renewal is refused is over', async () => {
  expect(await createTokenRefresher(holder({ status: 400 }))('old')).toBe('over')
})

test('a server that has trouble, or too much to do, ends no session', async () => {
  for (const status of [0, 429, 503]) expect(await createTokenRefresher(holder({ status }))('old')).toBe('unknown')
})

test('nobody renews a session that has been left meanwhile', async () => {
  const auth = { ...holder('new'), getSession: async () => ({ data: { session: null } }) }
  expect(await createTokenRefresher(auth)('old')).toBe('over')
  expect(auth.counted.refreshes).toBe(0)
})
