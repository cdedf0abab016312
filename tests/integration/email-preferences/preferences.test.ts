import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { publicationSettings, suppressions, users } from '#server/db/schema/index.ts'
import { enqueueScheduledNotices } from '#server/features/billing/enqueue-notices.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { choicesOf, deliver, pathOf, suppress } from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-03-01T09:00:00Z')
  user = await buildUser(server, { email: 'mia@example.test', subscription: 'active' })
})

const tokenOf = async (of = user, kind: 'issue' | 'news' = 'issue') => {
  const { links, to } = await deliver(server, of, { kind })
  return new URL(links.unsubscribePage(to)).searchParams.get('token') ?? ''
}

describe('with nothing but the link of a mail', () => {
  test('The page says which mail, for which address and what stays paid for, and changes nothing', async () => {
    const token = await tokenOf()
    const { status, body } = await call(server, 'unsubscribe-page', { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      stream: 'drops',
      address: 'm•••@example.test',
      choices: { drops: 'weekly', news: true },
      plan: { name: 'Pro Monthly', paidUntil: '2026-03-21T09:00:00.000Z', ends: false },
    })
    expect(await choicesOf(server, user.id)).toBeNull()
  })

  test('The address is the one that the mail went to, and nobody pays for what is cancelled or a gift', async () => {
    const token = await tokenOf()
    await server.database.db.update(users).set({ email: 'new@example.test' }).where(eq(users.id, user.id))
    expect((await call(server, 'unsubscribe-page', { token })).body.address).toBe('m•••@example.test')
    const canceled = await buildUser(server, { subscription: 'canceled' })
    expect((await call(server, 'unsubscribe-page', { token: await tokenOf(canceled, 'news') })).body).toMatchObject({
      stream: 'news',
      plan: null,
    })
  })

  test('Choices are saved and taken back by the same link', async () => {
    const token = await tokenOf()
    const both = { drops: 'off', news: false }
    const saved = await call(server, 'save-mail-choices-by-link', { token, ...both })
    expect(saved).toMatchObject({ status: 200, body: { choices: both } })
    expect(await choicesOf(server, user.id)).toMatchObject(both)
    await call(server, 'save-mail-choices-by-link', { token, drops: 'monthly', news: true })
    expect(await choicesOf(server, user.id)).toEqual({ drops: 'monthly', news: true, allowsTracking: false })
  })

  test('A link of nobody’s is not found, and one of an account that is gone says that nothing will come', async () => {
    for (const name of ['unsubscribe-page', 'save-mail-choices-by-link']) {
      const answer = await call(server, name, { token: 'test', drops: 'off', news: false })
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    const token = await tokenOf()
    await server.database.db.delete(users)
    const gone = { address: '', choices: { drops: 'off', news: false }, plan: null }
    expect((await call(server, 'unsubscribe-page', { token })).body).toMatchObject(gone)
    const saved = await call(server, 'save-mail-choices-by-link', { token, drops: 'weekly', news: true })
    expect(saved).toMatchObject({ status: 200, body: { choices: gone.choices } })
  })

  test('What a complaint stopped is not opened again by a link that may have been forwarded', async () => {
    await suppress(server, user.email, 'drops', 'complaint')
    await call(server, 'save-mail-choices-by-link', { token: await tokenOf(), drops: 'weekly', news: true })
    expect((await call(server, 'mail-preferences', {}, user.token)).body.blocked).toHaveLength(1)
  })
})

describe('signed in', () => {
  test('Everybody begins with weekly drops and news, and no tracking', async () => {
    expect((await call(server, 'mail-preferences', {}, user.token)).body).toEqual({
      drops: 'weekly',
      news: true,
      allowsTracking: false,
      trackingOffered: false,
      blocked: [],
    })
  })

  test('Choices are kept, and counting is offered where the publication counts', async () => {
    const value = {
      timeZone: 'UTC',
      limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
      tracking: true,
    }
    await server.database.db.insert(publicationSettings).values({ name: 'sending', value, updatedAt: server.clock.now })
    const wanted = { drops: 'monthly', news: false, allowsTracking: true }
    const saved = await call(server, 'save-mail-preferences', wanted, user.token)
    expect(saved.body).toEqual({ ...wanted, trackingOffered: true, blocked: [] })
    expect(await choicesOf(server, user.id)).toEqual(wanted)
  })

  test('A member is told what stops their mail, and by whom', async () => {
    await suppress(server, user.email, 'all', 'soft_bounces')
    await suppress(server, user.email, 'drops', 'complaint')
    await suppress(server, user.email, 'news', 'manual')
    await suppress(server, 'other@example.test', 'all', 'hard_bounce')
    const since = server.clock.now.toISOString()
    expect((await call(server, 'mail-preferences', {}, user.token)).body.blocked).toEqual([
      { stream: 'all', reason: 'bounced', since },
      { stream: 'drops', reason: 'complained', since },
      { stream: 'news', reason: 'manual', since },
    ])
  })

  test('Asking for a stream again takes a complaint back, with a note of who did; nothing else', async () => {
    await suppress(server, user.email, 'drops', 'complaint')
    await suppress(server, user.email, 'news', 'manual')
    const off = { drops: 'off', news: true, allowsTracking: false }
    expect((await call(server, 'save-mail-preferences', off, user.token)).body.blocked).toHaveLength(2)
    const on = { ...off, drops: 'weekly' }
    expect((await call(server, 'save-mail-preferences', on, user.token)).body.blocked).toMatchObject([
      { stream: 'news', reason: 'manual' },
    ])
    const [row] = await server.database.db.select().from(suppressions).where(eq(suppressions.stream, 'drops'))
    expect(row).toMatchObject({ liftedBy: 'Member', liftReason: 'The member resubscribed' })
  })

  test('After mail came back the address is tried again once a code has reached it', async () => {
    await suppress(server, user.email, 'all', 'hard_bounce')
    const session = clientFor(server, user.token)
    await session.auth.setSession({ access_token: user.token, refresh_token: user.refreshToken })
    expect((await session.auth.reauthenticate()).error).toBeNull()
    const [mail] = server.outbox.list(user.email)
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    const refused = await call(server, 'try-address-again', { code: wrong }, user.token)
    expect(refused).toMatchObject({ status: 400, body: { code: 'reauthentication_failed' } })
    expect((await call(server, 'mail-preferences', {}, user.token)).body.blocked).toHaveLength(1)
    const answer = await call(server, 'try-address-again', { code }, user.token)
    expect(answer).toMatchObject({ status: 200, body: { blocked: [] } })
    expect((await call(server, 'try-address-again', { code }, user.token)).status).toBe(400)
  })

  test('Guessing the code ends after some tries', async () => {
    const tries = []
    for (let n = 0; n < 11; n += 1) tries.push(await call(server, 'try-address-again', { code: '000000' }, user.token))
    expect(tries.at(-1)).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
  })
})

test('With every suppression in place and everything off, mail about the account still comes', async () => {
  for (const stream of ['all', 'drops', 'news']) await suppress(server, user.email, stream, 'hard_bounce')
  await call(server, 'save-mail-preferences', { drops: 'off', news: false, allowsTracking: false }, user.token)
  const client = clientFor(server)
  expect((await client.auth.resetPasswordForEmail(user.email)).error).toBeNull()
  await call(server, 'export-data', {}, user.token)
  expect(server.outbox.list(user.email).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([expect.stringMatching(/password/i), 'Your Front Counter data was downloaded']),
  )
})

test('And so does mail about payments', async () => {
  const payer = await buildUser(server, {
    email: 'payer@example.test',
    subscription: 'active',
    subscriptionFacts: { cardExpiresAt: new Date('2026-03-20T00:00:00Z') },
  })
  for (const stream of ['all', 'drops', 'news']) await suppress(server, payer.email, stream, 'complaint')
  await enqueueScheduledNotices(server.deps)
  const mails = await server.outbox.list(payer.email)
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('card')])
})

test('No page of the product answers a GET to these calls', async () => {
  const { links, to } = await deliver(server, user)
  for (const method of ['GET', 'HEAD']) {
    for (const name of ['unsubscribe-page', 'save-mail-choices-by-link', 'save-mail-preferences'])
      expect((await server.request(`/functions/v1/${name}`, { method })).status).toBe(405)
    await server.request(pathOf(links.unsubscribePage(to)), { method })
  }
  expect(await choicesOf(server, user.id)).toBeNull()
})
