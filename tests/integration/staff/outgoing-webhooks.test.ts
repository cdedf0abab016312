import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emailPreferences, issues, subscriptionState, users, webhookDeliveries } from '#server/db/schema/index.ts'
import { deliverWebhooks, retryDelaysMs } from '#server/features/outgoing-webhooks/deliver-webhooks.ts'
import { postWebhook } from '#server/features/outgoing-webhooks/send-webhook.ts'
import type { WebhookDelivery, WebhookEventType } from '#shared/contracts/outgoing-webhooks.ts'
import { addIssue } from '#tests/integration/newsletter/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp({ env: { WEBHOOKS_ALLOW_LOOPBACK: 'true' } }))
let owner: TestUser

type Received = { headers: IncomingHttpHeaders; body: string }
const received: Received[] = []
let answerWith = 200
let receiver: Server
let url: string

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(answerWith, { Location: 'http://127.0.0.1:1/' }).end('answer of the receiver')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => receiver.close())

beforeEach(async () => {
  await server.database.truncate()
  received.length = 0
  answerWith = 200
  owner = await buildUser(server, { admin: true })
})

async function addWebhook(events: WebhookEventType[]) {
  const { body } = await call(server, 'admin-save-webhook', { url, events, enabled: true }, owner.token)
  return { id: String(body.id), secret: String(body.secret) }
}
const deliver = () => deliverWebhooks(server.deps)
const types = () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
const deliveries = async (id: string) => {
  const token = (await buildUser(server, { admin: true })).token
  return (await call(server, 'admin-webhook-deliveries', { id }, token)).body.items as WebhookDelivery[]
}

test('an event is signed by the Standard Webhooks scheme and has the member as the API shows it', async () => {
  const { id, secret } = await addWebhook(['member.created'])
  expect(secret).toMatch(/^whsec_/)
  const mia = await buildUser(server, { email: 'mia@example.test' })
  await deliver()
  const [got] = received
  const { headers, body } = got as Received
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  expect(JSON.parse(body)).toMatchObject({
    type: 'member.created',
    timestamp: expect.any(String),
    data: { id: mia.id, email: 'mia@example.test' },
  })
  const [delivery] = await deliveries(id)
  // `deliveries` signs in another owner, who is a new member, too.
  expect(await deliveries(id)).toContainEqual(
    expect.objectContaining({
      eventId: headers['webhook-id'],
      status: 'succeeded',
      log: [expect.objectContaining({ status: 200, excerpt: 'answer of the receiver' })],
    }),
  )
  expect(delivery).toBeDefined()
  const listed = await call(server, 'admin-webhooks', {}, owner.token)
  expect(JSON.stringify(listed.body)).not.toContain(secret)
})

test('every kind of change writes its event once, and only for endpoints that chose it', async () => {
  const { db } = server.database
  await addWebhook([
    'member.updated',
    'member.deleted',
    'member.unsubscribed',
    'subscription.started',
    'subscription.changed',
    'subscription.ended',
    'drop.published',
  ])
  const mia = await buildUser(server, { subscription: 'active' })
  const setStatus = (status: string) =>
    db.update(subscriptionState).set({ status }).where(eq(subscriptionState.userId, mia.id))
  await call(server, 'admin-set-member-tags', { userId: mia.id, tags: ['one', 'two'] }, owner.token)
  await setStatus('past_due')
  await setStatus('past_due')
  await setStatus('canceled')
  await db.insert(emailPreferences).values({ userId: mia.id, drops: 'off', updatedAt: new Date() })
  await db.update(emailPreferences).set({ allowsTracking: true }).where(eq(emailPreferences.userId, mia.id))
  await addIssue(server.database)
  await db.update(issues).set({ title: 'Another' })
  await deliver()
  expect(types().toSorted()).toEqual([
    'drop.published',
    'member.unsubscribed',
    'member.updated',
    'subscription.changed',
    'subscription.ended',
    'subscription.started',
  ])
  received.length = 0
  await db.delete(users).where(eq(users.id, mia.id))
  await deliver()
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: 'member.deleted', data: { id: mia.id } }])
  expect(received[0]?.body).not.toContain(mia.email)
})

test('a change that is rolled back sends nothing', async () => {
  await addWebhook(['member.created', 'drop.published'])
  await server.database.db
    .transaction(async (tx) => {
      await tx.execute(sql`insert into auth.users (id, email) values (gen_random_uuid(), 'never@example.test')`)
      throw new Error('no')
    })
    .catch(() => {})
  await deliver()
  expect(received).toEqual([])
})

test('failures are retried with growing waits, and the same id; in the end the webhook is turned off', async () => {
  const { id } = await addWebhook(['subscription.started'])
  await buildUser(server, { subscription: 'active' })
  answerWith = 500
  const began = server.clock.now
  await deliver()
  await deliver()
  expect(received).toHaveLength(1)
  for (const wait of retryDelaysMs) {
    server.clock.advance(wait - 1_000)
    await deliver()
    server.clock.advance(1_000)
    await deliver()
  }
  expect(received).toHaveLength(retryDelaysMs.length + 1)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  server.clock.now = began
  const { items } = (await call(server, 'admin-webhooks', {}, owner.token)).body as { items: object[] }
  expect(items).toMatchObject([{ id, enabled: false, disabledReason: 'failures' }])
  expect(server.outbox.list(owner.email).map(({ subject }) => subject)).toContain('A webhook was turned off')

  answerWith = 200
  const [failed] = await deliveries(id)
  expect(failed).toMatchObject({ status: 'failed', attempts: retryDelaysMs.length + 1 })
  await call(server, 'admin-replay-webhook', { deliveryId: failed?.id }, owner.token)
  await deliver()
  expect(received).toHaveLength(retryDelaysMs.length + 1)
  await call(server, 'admin-save-webhook', { id, url, events: ['subscription.started'], enabled: true }, owner.token)
  await deliver()
  expect((await deliveries(id))[0]).toMatchObject({ status: 'succeeded' })
})

test('a crash between claiming and sending loses nothing', async () => {
  await addWebhook(['subscription.started'])
  await buildUser(server, { subscription: 'active' })
  // What a node does before it dies.
  const leased = new Date(server.clock.now.getTime() + 2 * 60_000)
  await server.database.db.update(webhookDeliveries).set({ attempts: 1, nextAttemptAt: leased })
  await deliver()
  expect(received).toEqual([])
  server.clock.advance(2 * 60_000 + 1)
  await Promise.all([deliver(), deliver(), deliver()])
  expect(received).toHaveLength(1)
})

test('redirects aren’t followed, and 410 turns the webhook off at once', async () => {
  const { id } = await addWebhook(['subscription.started'])
  answerWith = 302
  await buildUser(server, { subscription: 'active' })
  await deliver()
  expect((await deliveries(id))[0]).toMatchObject({ status: 'pending', log: [{ status: 302 }] })
  answerWith = 410
  server.clock.advance(60_000)
  await deliver()
  expect((await deliveries(id))[0]).toMatchObject({ status: 'failed' })
})

test('addresses in private networks are refused when saving and when sending', async () => {
  const save = async (address: string) => {
    const wanted = { url: address, events: ['member.created'], enabled: true }
    return (await call(server, 'admin-save-webhook', wanted, owner.token)).status
  }
  for (const address of [
    'http://example.com/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://a:b@example.com/',
    'x',
  ]) {
    expect(await save(address), address).toBe(400)
  }
  expect(await save('https://example.com/hook')).toBe(200)
  const config = { webhooksAllowLoopback: false }
  for (const address of [url, url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest/meta-data']) {
    expect(await postWebhook(config, address, { body: '{}', headers: {} }), address).toEqual({
      status: null,
      excerpt: 'The address is in a private network',
    })
  }
  expect(received).toEqual([])
})
