import { createHmac } from 'node:crypto'
import type { lookup } from 'node:dns'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  emailPreferences,
  issues,
  mailings,
  newsletterSubscription,
  subscriptionState,
  users,
  webhookDeliveries,
  webhookEndpoints,
} from '#server/db/schema/index.ts'
import {
  deliverWebhooks,
  purgeWebhookEvents,
  retryDelaysMs,
} from '#server/features/operations/outgoing-webhooks/deliver-webhooks.ts'
import { postWebhook } from '#server/features/operations/outgoing-webhooks/send-webhook.ts'
import type { WebhookDelivery, WebhookEventType } from '#shared/contracts/operations/outgoing-webhooks.ts'
import { addIssue, addMailing } from '#tests/integration/mailings/sending/support.ts'
import { addNewsletter, subscribe } from '#tests/integration/newsletters/support.ts'
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

function signatureOf(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

test('an event is signed by the Standard Webhooks scheme and has the member as the API shows it', async () => {
  const { id, secret } = await addWebhook(['member.created'])
  expect(secret).toMatch(/^whsec_/)
  const mia = await buildUser(server, { email: 'mia@example.test' })
  await deliver()
  const [got] = received
  const { headers, body } = got as Received
  expect(headers['webhook-signature']).toBe(signatureOf(secret, got as Received))
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
  await addNewsletter(db)
  await subscribe(db, 1, mia.id)
  for (const subscribed of [false, false]) await db.update(newsletterSubscription).set({ subscribed })
  await deliver()
  const unsubscribed = received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'member.unsubscribed')
  expect(unsubscribed).toHaveLength(2)
  expect(unsubscribed.at(-1)).toMatchObject({
    data: { emailPreferences: { drops: 'off', newsletters: [{ id: 1, name: 'Recipes 1', subscribed: false }] } },
  })
  expect(types().toSorted()).toEqual([
    'drop.published',
    'member.unsubscribed',
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

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  const { id, secret: former } = await addWebhook(['subscription.started'])
  const rotate = () => call(server, 'admin-rotate-webhook-secret', { id }, owner.token)
  const { body } = await rotate()
  const secret = String(body.secret)
  expect(secret).not.toBe(former)
  const listed = async () => (await call(server, 'admin-webhooks', {}, owner.token)).body
  expect(await listed()).toMatchObject({ items: [{ formerSecretUntil: body.formerSecretUntil }] })
  const signaturesNow = async () => {
    received.length = 0
    await buildUser(server, { subscription: 'active' })
    await deliver()
    return received.map((got) =>
      [secret, former].map((each) => got.headers['webhook-signature']?.includes(signatureOf(each, got))),
    )
  }
  expect(await signaturesNow()).toEqual([[true, true]])
  server.clock.advance(24 * 60 * 60_000 - 1_000)
  expect(await signaturesNow()).toEqual([[true, true]])
  server.clock.advance(1_000)
  expect(await signaturesNow()).toEqual([[true, false]])
  await purgeWebhookEvents(server.deps)
  const [stored] = await server.database.db.select().from(webhookEndpoints)
  expect(stored).toMatchObject({ formerSealedSecret: null, formerSecretUntil: null })
  expect(JSON.stringify(await listed())).not.toContain('whsec_')
})

test('a mailing that was sent to everyone is announced once, as the API shows it', async () => {
  const { db } = server.database
  await addWebhook(['mailing.sent'])
  await addIssue(server.database)
  const id = await addMailing(server.database, { status: 'sending', subject: 'Till counts' })
  for (const status of ['paused', 'sending', 'sent', 'sent']) {
    await db.update(mailings).set({ status }).where(eq(mailings.id, id))
  }
  await deliver()
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'mailing.sent', data: { id, subject: 'Till counts', status: 'sent', figures: { recipients: 0 } } },
  ])
})

test('sending an event again in two tabs sends it once more', async () => {
  const { id } = await addWebhook(['subscription.started'])
  await buildUser(server, { subscription: 'active' })
  await deliver()
  const deliveryId = (await deliveries(id))[0]?.id
  const replay = () => call(server, 'admin-replay-webhook', { deliveryId }, owner.token)
  const answers = await Promise.all([replay(), replay(), replay()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await Promise.all([deliver(), deliver()])
  expect(received).toHaveLength(2)
  const { body } = await call(server, 'admin-audit-log', { event: 'webhook_replayed' }, owner.token)
  expect(body.items).toHaveLength(1)
  expect((await call(server, 'admin-replay-webhook', { deliveryId: '999999' }, owner.token)).status).toBe(404)
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
  // Part of a node's work before it dies.
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

test('a webhook that is submitted twice is created once', async () => {
  const submit = () =>
    call(server, 'admin-save-webhook', { url, events: ['member.created'], enabled: true }, owner.token)
  const answers = await Promise.all([submit(), submit()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test('a strange answer ends the attempt, and so does a webhook that is deleted meanwhile', async () => {
  const { id } = await addWebhook(['subscription.started'])
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/switches': ({ socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    },
    '/large': (response) => {
      response.writeHead(200).end(Buffer.alloc(10_000_000, 'a'))
    },
    '/deleted': async (response) => {
      await call(server, 'admin-delete-webhook', { id }, owner.token)
      response.writeHead(500).end()
    },
  }
  const strange = createServer((request, response) => void answers[request.url ?? '']?.(response))
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`
  const post = (path: string) => postWebhook(server.deps.config, `${origin}${path}`, { body: '{}', headers: {} })
  expect(await post('/switches')).toMatchObject({ status: null, excerpt: expect.stringContaining('without an answer') })
  expect(await post('/large')).toEqual({ status: 200, excerpt: 'a'.repeat(500) })
  await server.database.db.update(webhookEndpoints).set({ url: `${origin}/deleted` })
  await buildUser(server, { subscription: 'active' })
  await deliver()
  expect(await server.database.db.select().from(webhookDeliveries)).toEqual([])
  strange.closeAllConnections()
  strange.close()
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
    'https://167772161/',
    'https://0xa.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://printer/',
    'https://database.internal./',
    'https://me.localhost/',
    'file:///etc/passwd',
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

test('a public name that resolves to a private address when it is called isn’t called', async () => {
  const { port } = new URL(url)
  const resolved: string[] = []
  // As a rebinding name server answers: a private address alone, behind a public one, or as IPv6.
  for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
    const resolveHost = ((host: string, _options: object, done: (error: null, found: object[]) => void) => {
      resolved.push(host)
      done(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
    }) as unknown as typeof lookup
    const config = { webhooksAllowLoopback: false }
    const address = `http://rebinding.example.com:${port}/hook`
    expect(await postWebhook(config, address, { body: '{}', headers: {} }, resolveHost)).toEqual({
      status: null,
      excerpt: 'The address is in a private network',
    })
  }
  expect(resolved).toHaveLength(3)
  expect(received).toEqual([])
})
