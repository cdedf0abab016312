import { beforeEach, describe, expect, test } from 'vitest'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { officialClient } from '../auth/client.ts'
import { latestEmail, pressConfirm } from '../auth/email-flows.ts'

const email = 'owner@example.test'
const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

/** Requests an email with a code challenge, and returns its link. */
async function ask(what: 'signInWithOtp' | 'resetPasswordForEmail' = 'signInWithOtp') {
  server.clock.advance(61_000)
  const client = officialClient(server, { flowType: 'pkce' })
  const { error } =
    what === 'signInWithOtp'
      ? await client.auth.signInWithOtp({ email })
      : await client.auth.resetPasswordForEmail(email)
  expect(error).toBeNull()
  return { client, link: latestEmail(server, email).link }
}
const follow = async (link: string) =>
  new URL((await pressConfirm(server, link)).location).searchParams.get('code') ?? ''

describe('attack 6: a stranger requests an email with a code challenge of their own', () => {
  beforeEach(() => buildUser(server, { email }))

  test('the code of the owner’s link starts a session for the owner and not for the stranger', async () => {
    const stranger = await ask()
    const owner = await ask()
    const code = await follow(owner.link)
    expect((await stranger.client.auth.exchangeCodeForSession(code)).error).not.toBeNull()
    const again = await ask()
    const { data, error } = await again.client.auth.exchangeCodeForSession(await follow(again.link))
    expect([error, data.user?.email]).toEqual([null, email])
  })

  test('the code of the stranger’s link doesn’t work for the owner’s request, nor the reverse', async () => {
    const owner = await ask()
    const stranger = await ask('resetPasswordForEmail')
    const code = await follow(stranger.link)
    const refused = await owner.client.auth.exchangeCodeForSession(code)
    expect(refused.error?.code).toBe('bad_code_verifier')
  })

  test('two requests have separate links, and using one invalidates the other', async () => {
    const first = await ask()
    const second = await ask()
    expect(first.link).not.toBe(second.link)
    const { error } = await first.client.auth.exchangeCodeForSession(await follow(first.link))
    expect(error).toBeNull()
    const ended = await server.request(second.link)
    expect(ended.headers.get('Location')).toContain('error_code=otp_expired')
  })

  test('a link without a challenge and one with a challenge coexist', async () => {
    const plain = await (async () => {
      await officialClient(server).auth.signInWithOtp({ email })
      return latestEmail(server, email).link
    })()
    const { link } = await ask()
    expect((await server.request(plain)).status).toBe(200)
    expect((await server.request(link)).status).toBe(200)
    expect((await pressConfirm(server, plain)).fragment.get('access_token')).toBeTruthy()
  })
})

test('attack 6: a code challenge at sign-up is bound to that sign-up alone', async () => {
  const strict = await createTestApp({ env: { EMAIL_CONFIRMATION: 'first' }, database: server.database })
  const signUp = async (password: string) => {
    strict.clock.advance(61_000)
    const client = officialClient(strict, { flowType: 'pkce' })
    await client.auth.signUp({ email, password })
    return { client, link: latestEmail(strict, email).link }
  }
  const stranger = await signUp('chosen by a stranger')
  const owner = await signUp('chosen by the owner')
  const { location } = await pressConfirm(strict, owner.link)
  const code = new URL(location).searchParams.get('code') ?? ''
  const { error } = await owner.client.auth.exchangeCodeForSession(code)
  expect(error).toBeNull()
  expect((await strict.request(stranger.link)).status).toBe(303)
  const signedIn = await officialClient(strict).auth.signInWithPassword({ email, password: 'chosen by the owner' })
  expect(signedIn.error).toBeNull()
})
