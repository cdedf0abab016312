import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { publicationSettings, suppressions, users } from '#server/db/schema/index.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
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

describe('with an email link', () => {
  test('The page shows the stream, the address and the active plan, and changes nothing', async () => {
    const token = await tokenOf()
    const { status, body } = await call(server, 'unsubscribe-page', { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      stream: 'drops',
      newsletter: null,
      address: 'm•••@example.test',
      choices: { drops: 'weekly', news: true, followUps: true, assignments: true, replies: 'at-once' },
      newsletters: [],
      plan: { name: 'Pro Monthly', paidUntil: '2026-03-21T09:00:00.000Z', ends: false },
    })
    expect(await choicesOf(server, user.id)).toBeNull()
  })

  test('The page shows the address of the delivery, and no plan for ended or complimentary access', async () => {
    const token = await tokenOf()
    await server.database.db.update(users).set({ email: 'new@example.test' }).where(eq(users.id, user.id))
    expect((await call(server, 'unsubscribe-page', { token })).body.address).toBe('m•••@example.test')
    const canceled = await buildUser(server, { subscription: 'canceled' })
    expect((await call(server, 'unsubscribe-page', { token: await tokenOf(canceled, 'news') })).body).toMatchObject({
      stream: 'news',
      plan: null,
    })
  })

  test('Choices are saved and undone with the same link', async () => {
    const token = await tokenOf()
    const both = { drops: 'off', news: false }
    const saved = await call(server, 'save-email-choices-by-link', { token, ...both })
    expect(saved).toMatchObject({ status: 200, body: { choices: both } })
    expect(await choicesOf(server, user.id)).toMatchObject(both)
    await call(server, 'save-email-choices-by-link', { token, drops: 'monthly', news: true })
    expect(await choicesOf(server, user.id)).toEqual({
      drops: 'monthly',
      news: true,
      followUps: true,
      assignments: true,
      replies: 'at-once',
      allowsTracking: false,
    })
  })

  test('An invalid link is not found, and the link of a deleted account shows no address', async () => {
    for (const name of ['unsubscribe-page', 'save-email-choices-by-link']) {
      const answer = await call(server, name, { token: 'test', drops: 'off', news: false })
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    const token = await tokenOf()
    await server.database.db.delete(users)
    const gone = { address: '', choices: { drops: 'off', news: false, followUps: false }, plan: null }
    expect((await call(server, 'unsubscribe-page', { token })).body).toMatchObject(gone)
    const saved = await call(server, 'save-email-choices-by-link', { token, drops: 'weekly', news: true })
    expect(saved).toMatchObject({ status: 200, body: { choices: gone.choices } })
  })

  test('An email link does not lift a suppression after a complaint', async () => {
    await suppress(server, user.email, 'drops', 'complaint')
    await call(server, 'save-email-choices-by-link', { token: await tokenOf(), drops: 'weekly', news: true })
    expect((await call(server, 'email-preferences', {}, user.token)).body.blocked).toHaveLength(1)
  })
})

describe('signed in', () => {
  test('Defaults are weekly drops, news and follow-ups, without tracking', async () => {
    expect((await call(server, 'email-preferences', {}, user.token)).body).toEqual({
      drops: 'weekly',
      news: true,
      followUps: true,
      assignments: true,
      replies: 'at-once',
      allowsTracking: false,
      dropTime: 'usual',
      dropTimeOffered: false,
      usualHour: null,
      timeZone: null,
      newsletters: [],
      freeEdition: false,
      hasAccess: true,
      isOnTeam: false,
      trackingOffered: false,
      blocked: [],
    })
  })

  test('Someone without access starts and ends the free edition', async () => {
    const { token } = await buildUser(server)
    const save = async (freeEdition: boolean) => {
      const wanted = { drops: 'weekly', news: true, allowsTracking: false, freeEdition }
      return (await call(server, 'save-email-preferences', wanted, token)).body
    }
    expect(await save(true)).toMatchObject({ freeEdition: true, hasAccess: false })
    expect((await call(server, 'email-preferences', {}, token)).body).toMatchObject({ freeEdition: true })
    expect(await save(false)).toMatchObject({ freeEdition: false })
  })

  test('Choices are saved, and tracking is offered if the publication has it on', async () => {
    const value = {
      timeZone: 'UTC',
      limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
      tracking: true,
    }
    await server.database.db.insert(publicationSettings).values({ name: 'sending', value, updatedAt: server.clock.now })
    const wanted = {
      drops: 'monthly',
      news: false,
      followUps: false,
      assignments: false,
      replies: 'daily',
      allowsTracking: true,
    }
    const saved = await call(server, 'save-email-preferences', wanted, user.token)
    expect(saved.body).toEqual({
      ...wanted,
      dropTime: 'usual',
      dropTimeOffered: false,
      usualHour: null,
      timeZone: null,
      newsletters: [],
      freeEdition: false,
      hasAccess: true,
      isOnTeam: false,
      trackingOffered: true,
      blocked: [],
    })
    expect(await choicesOf(server, user.id)).toEqual(wanted)
  })

  test('A client that knows nothing of follow-ups leaves them as they are', async () => {
    const wanted = { drops: 'weekly', news: true, allowsTracking: false }
    await call(server, 'save-email-preferences', { ...wanted, followUps: false }, user.token)
    const saved = await call(server, 'save-email-preferences', { ...wanted, news: false }, user.token)
    expect(saved.body).toMatchObject({ news: false, followUps: false })
  })

  test('A member sees why emails are suppressed', async () => {
    await suppress(server, user.email, 'all', 'soft_bounces')
    await suppress(server, user.email, 'drops', 'complaint')
    await suppress(server, user.email, 'news', 'manual')
    await suppress(server, 'other@example.test', 'all', 'hard_bounce')
    const since = server.clock.now.toISOString()
    expect((await call(server, 'email-preferences', {}, user.token)).body.blocked).toEqual([
      { stream: 'all', reason: 'bounced', since },
      { stream: 'drops', reason: 'complained', since },
      { stream: 'news', reason: 'manual', since },
    ])
  })

  test('Turning a stream on lifts only the suppression after a complaint', async () => {
    await suppress(server, user.email, 'drops', 'complaint')
    await suppress(server, user.email, 'news', 'manual')
    const off = { drops: 'off', news: true, allowsTracking: false }
    expect((await call(server, 'save-email-preferences', off, user.token)).body.blocked).toHaveLength(2)
    const on = { ...off, drops: 'weekly' }
    expect((await call(server, 'save-email-preferences', on, user.token)).body.blocked).toMatchObject([
      { stream: 'news', reason: 'manual' },
    ])
    const [row] = await server.database.db.select().from(suppressions).where(eq(suppressions.stream, 'drops'))
    expect(row).toMatchObject({ liftedBy: 'Member', liftReason: 'The member resubscribed' })
  })

  test('An emailed code lifts the suppression after bounces', async () => {
    await suppress(server, user.email, 'all', 'hard_bounce')
    const session = clientFor(server, user.token)
    await session.auth.setSession({ access_token: user.token, refresh_token: user.refreshToken })
    expect((await session.auth.reauthenticate()).error).toBeNull()
    const [email] = server.outbox.list(user.email)
    const code = /\b\d{6}\b/.exec(email?.text ?? '')?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    const refused = await call(server, 'try-address-again', { code: wrong }, user.token)
    expect(refused).toMatchObject({ status: 400, body: { code: 'reauthentication_failed' } })
    expect((await call(server, 'email-preferences', {}, user.token)).body.blocked).toHaveLength(1)
    const answer = await call(server, 'try-address-again', { code }, user.token)
    expect(answer).toMatchObject({ status: 200, body: { blocked: [] } })
    expect((await call(server, 'try-address-again', { code }, user.token)).status).toBe(400)
  })

  test('Guessing the code is limited', async () => {
    const tries = []
    for (let n = 0; n < 11; n += 1) tries.push(await call(server, 'try-address-again', { code: '000000' }, user.token))
    expect(tries.at(-1)).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
  })
})

test('Account emails are sent despite suppressions and with all streams off', async () => {
  for (const stream of ['all', 'drops', 'news']) await suppress(server, user.email, stream, 'hard_bounce')
  await call(server, 'save-email-preferences', { drops: 'off', news: false, allowsTracking: false }, user.token)
  const client = clientFor(server)
  expect((await client.auth.resetPasswordForEmail(user.email)).error).toBeNull()
  await call(server, 'export-data', {}, user.token)
  expect(server.outbox.list(user.email).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([expect.stringMatching(/password/i), 'Your Front Counter data was downloaded']),
  )
})

test('Billing emails are sent, too', async () => {
  const payer = await buildUser(server, {
    email: 'payer@example.test',
    subscription: 'active',
    subscriptionFacts: { cardExpiresAt: new Date('2026-03-20T00:00:00Z') },
  })
  for (const stream of ['all', 'drops', 'news']) await suppress(server, payer.email, stream, 'complaint')
  await enqueueScheduledNotices(server.deps)
  const emails = await server.outbox.list(payer.email)
  expect(emails.map(({ subject }) => subject)).toEqual([expect.stringContaining('card')])
})

test('The calls do not accept GET', async () => {
  const { links, to } = await deliver(server, user)
  for (const method of ['GET', 'HEAD']) {
    for (const name of ['unsubscribe-page', 'save-email-choices-by-link', 'save-email-preferences'])
      expect((await server.request(`/functions/v1/${name}`, { method })).status).toBe(405)
    await server.request(pathOf(links.unsubscribePage(to)), { method })
  }
  expect(await choicesOf(server, user.id)).toBeNull()
})
