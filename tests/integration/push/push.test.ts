import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import ece from 'http_ece'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import { contentItems, issues, pushSubscription, sessions, subscriptionState } from '#server/db/schema/index.ts'
import { sendDeadlineReminders } from '#server/features/publishing/assignment-emails/send-deadline-reminders.ts'
import { announceDrops, deliverPush, pushJob, sendPush } from '#server/features/reader/push/push.ts'
import { type PushKind, pushKinds } from '#shared/domain/push.ts'
import { as, buildOwner, createTeamApp, seat } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

/** A push service on this machine, which the configuration allows. */
let answers: { status: number; headers?: Record<string, string> }[] = []
const received: { path: string; headers: IncomingMessage['headers']; body: Buffer }[] = []
const service = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
  const { status, headers } = answers.shift() ?? { status: 201 }
  response.writeHead(status, headers).end()
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => service.close(resolve)))

const server = openForTests(() => createTeamApp({ config: { webhooksAllowLoopback: true } }))
/** A Sunday, 11 AM in New York. */
const start = new Date('2026-11-22T16:00:00Z')
const plan = {
  subscription: 'active',
  subscriptionFacts: { currentPeriodEnd: new Date('2028-11-22T00:00:00Z') },
} as const
let owner: TestUser

beforeEach(async () => {
  await server.database.truncate()
  server.jobs.length = 0
  server.clock.now = start
  received.length = 0
  answers = []
  owner = await buildUser(server, plan)
})

function newDevice(path = `/${crypto.randomUUID()}`) {
  const curve = createECDH('prime256v1')
  const p256dh = curve.generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  const decrypt = (body: Buffer) =>
    JSON.parse(Buffer.from(ece.decrypt(body, { version: 'aes128gcm', privateKey: curve, authSecret: auth })).toString())
  return { endpoint: origin + path, p256dh, auth, decrypt }
}
const subscribe = async (who = owner, given: { kinds?: PushKind[]; quiet?: boolean; endpoint?: string } = {}) => {
  const { decrypt, ...device } = newDevice()
  const { endpoint, ...save } = { ...device, kinds: [...pushKinds], quiet: true, ...given }
  const { status } = await as(server, who)('push-device', { endpoint, save })
  return { endpoint, ...save, status, decrypt }
}
const note = { title: 'A question', body: 'Oak Avenue', path: '/portal/assignments', tag: 'question 1' }
const tell = (who = owner, kind: PushKind = 'question', hours = 24) =>
  server.database.db.transaction((tx) =>
    sendPush(server.deps, tx, who.id, kind, {
      ...note,
      expiresAt: new Date(server.clock.now.getTime() + hours * 3_600_000),
    }),
  )
/** Runs the jobs whose time has come. */
async function deliver(deps = server.deps) {
  const jobs = server.jobs.splice(0).filter(({ name }) => name === pushJob.name)
  for (const { payload, ...job } of jobs) {
    const parsed = pushJob.payload.parse(payload)
    if ((pushJob.startOf(parsed)?.getTime() ?? 0) > deps.clock().getTime()) server.jobs.push({ payload, ...job })
    else await deliverPush(deps, parsed)
  }
}
const count = () => server.database.db.$count(pushSubscription)
const waiting = () => server.jobs.filter(({ name }) => name === pushJob.name).length

describe('a message', () => {
  test('is encrypted for the device alone, and signed by this server', async () => {
    const device = await subscribe()
    await tell()
    await deliver()
    expect(received).toHaveLength(1)
    const [sent] = received
    if (!sent) throw new Error('nothing was sent')
    const { headers, body } = sent
    expect(headers['content-encoding']).toBe('aes128gcm')
    expect(Number(headers.ttl)).toBe(24 * 60 * 60)
    expect(body.toString('latin1')).not.toContain('Oak')
    expect(device.decrypt(body)).toEqual(note)
    const [, token = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(headers.authorization ?? '') ?? []
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
    expect(claims).toMatchObject({ aud: origin, sub: expect.stringMatching(/^mailto:/) })
    const { body: settings } = await as(server, owner)('push-device', { endpoint: device.endpoint })
    expect(settings).toEqual({ publicKey: key, device: { kinds: pushKinds, quiet: true } })
    expect(waiting()).toBe(0)
  })

  test('comes to devices that chose its kind, of people with access', async () => {
    await subscribe(owner, { kinds: ['drop', 'deadline'] })
    const other = await buildUser(server, plan)
    await subscribe(other)
    await tell()
    await deliver()
    expect(received).toEqual([])
    await tell(other)
    await deliver()
    expect(received).toHaveLength(1)
    await server.database.db.update(subscriptionState).set({ status: 'canceled' })
    await tell(other)
    expect(waiting()).toBe(0)
  })

  test('waits for the morning of the reader, unless the device has no quiet hours', async () => {
    server.clock.now = new Date('2026-11-23T03:00:00Z')
    const quiet = await subscribe()
    const loud = await subscribe(owner, { quiet: false })
    await tell()
    await deliver()
    expect(received.map(({ path }) => origin + path)).toEqual([loud.endpoint])
    server.clock.now = new Date('2026-11-23T11:59:00Z')
    await deliver()
    expect(received).toHaveLength(1)
    server.clock.now = new Date('2026-11-23T12:00:00Z')
    await deliver()
    expect(received.map(({ path }) => origin + path)).toEqual([loud.endpoint, quiet.endpoint])
  })

  test('isn’t sent once it expired', async () => {
    await subscribe()
    await tell(owner, 'question', 1)
    server.clock.advance(60 * 60_000)
    await deliver()
    expect(received).toEqual([])
    expect(waiting()).toBe(0)
  })
})

describe('a push service', () => {
  test.each([404, 410])('that answers %s ends the subscription', async (status) => {
    await subscribe()
    answers = [{ status }]
    await tell()
    await deliver()
    expect([await count(), waiting()]).toEqual([0, 0])
  })

  test.each([401, 403])('that refuses the signature with %s costs the note, not the subscription', async (status) => {
    await subscribe()
    answers = [{ status }]
    await tell()
    await deliver()
    expect([await count(), waiting()]).toEqual([1, 0])
  })

  test.each([
    [429, { 'Retry-After': '600' }, 600],
    [503, undefined, 60],
    [429, { 'Retry-After': 'Sun, 22 Nov 2026 16:20:00 GMT' }, 1200],
  ])('that answers %s is asked again later', async (status, headers, seconds) => {
    await subscribe()
    answers = [{ status, ...(headers && { headers }) }]
    await tell()
    await deliver()
    server.clock.advance(seconds * 1000 - 1)
    await deliver()
    expect(received).toHaveLength(1)
    server.clock.advance(1)
    await deliver()
    expect(received).toHaveLength(2)
    expect([await count(), waiting()]).toEqual([1, 0])
  })

  test('that is gone or busy for good isn’t asked forever', async () => {
    await subscribe(owner, { quiet: false })
    answers = Array.from({ length: 20 }, () => ({ status: 500 }))
    await tell(owner, 'question', 48)
    for (let hour = 0; hour < 48; hour += 1) {
      await deliver()
      server.clock.advance(60 * 60_000)
    }
    expect(received).toHaveLength(6)
    expect([await count(), waiting()]).toEqual([1, 0])
  })

  test.each([
    ...['https://localhost/x', 'https://127.0.0.1/x', 'https://10.0.0.8/x', 'https://[::1]/x', 'https://192.168.1.1/x'],
    ...['https://169.254.169.254/latest', 'https://push.example.com:8443/x'],
  ])('at %s is called by nobody, and forgotten', async (endpoint) => {
    await subscribe(owner, { endpoint })
    await tell()
    const strict = { ...server.deps, config: { ...server.deps.config, webhooksAllowLoopback: false } }
    await deliver(strict)
    expect(received).toEqual([])
    expect([await count(), waiting()]).toEqual([0, 0])
  })

  test('has an address with https and without a name', async () => {
    const strict = await createTeamApp()
    const reader = await buildUser(strict, plan)
    const { decrypt: _, endpoint, ...device } = newDevice()
    for (const wrong of [endpoint, 'https://me@push.example.com/x', 'ftp://push.example.com/x']) {
      const save = { ...device, kinds: ['drop'], quiet: true }
      expect((await as(strict, reader)('push-device', { endpoint: wrong, save })).status).toBe(400)
    }
    await strict.close()
  })

  test('gets nothing for keys that aren’t a browser’s', async () => {
    await subscribe()
    await server.database.db.update(pushSubscription).set({ p256dh: 'A'.repeat(87) })
    await tell()
    await deliver()
    expect(received).toEqual([])
    expect(await count()).toBe(0)
  })
})

describe('a subscription', () => {
  test('ends with sign-out, and with every other end of its session, such as a new password', async () => {
    const phone = await subscribe()
    await server.request('/auth/v1/logout?scope=local', { method: 'POST', headers: owner.headers })
    expect(await count()).toBe(0)
    const other = await buildUser(server, plan)
    await subscribe(other)
    await server.database.db.delete(sessions).where(eq(sessions.userId, other.id))
    await tell(other)
    await deliver()
    expect(received).toEqual([])
    expect(phone.status).toBe(200)
  })

  test('ends with the account, and isn’t used once its session is over', async () => {
    await subscribe()
    await tell()
    await server.database.db.update(sessions).set({ notAfter: new Date(start.getTime() - 1) })
    await deliver()
    expect(received).toEqual([])
    await server.deps.database.db.transaction((tx) => deleteAccountRows(tx, owner.id))
    expect(await count()).toBe(0)
  })

  test('of the same browser belongs to whoever signed in last, and is changed and ended by them alone', async () => {
    const { endpoint } = await subscribe()
    const other = await buildUser(server, plan)
    await subscribe(other, { endpoint: `${origin}/unknown`, kinds: [] })
    expect(await count()).toBe(1)
    await subscribe(other, { endpoint, kinds: ['question'] })
    await tell(owner)
    await tell(other)
    await deliver()
    expect(received).toHaveLength(1)
    await subscribe(other, { endpoint, kinds: [] })
    expect(await count()).toBe(0)
  })

  test('is one of ten at most', async () => {
    for (let devices = 0; devices < 12; devices += 1) {
      await subscribe()
      server.clock.advance(1_000)
    }
    expect(await count()).toBe(10)
  })
})

describe('what is told', () => {
  test('a drop that came out, once, and the newest of several', async () => {
    const { decrypt } = await subscribe()
    const drop = (id: string, date: string, publishedAt: Date) => ({
      ...{ id, slug: id, title: `Drop ${id}`, date, preview: '', tags: [], intro: '', closing: '', readingMinutes: 1 },
      publishedAt,
    })
    await server.database.db
      .insert(issues)
      .values([
        drop('old', '2026-10-01', new Date(start.getTime() - 3 * 86_400_000)),
        drop('one', '2026-11-17', start),
        drop('two', '2026-11-24', start),
        drop('next', '2026-12-01', new Date(start.getTime() + 86_400_000)),
      ])
    await Promise.all([announceDrops(server.deps), announceDrops(server.deps)])
    await deliver()
    await announceDrops(server.deps)
    await deliver()
    expect(received.map(({ body }) => decrypt(body))).toEqual([
      { title: 'New drop', body: 'Drop two', path: '/portal/weekly-drops/two', tag: 'drop' },
    ])
  })

  test('a deadline, also to who gets no reminders by email', async () => {
    const { decrypt } = await subscribe()
    await as(server, owner)('save-email-preferences', {
      drops: 'weekly',
      news: true,
      assignments: false,
      allowsTracking: false,
    })
    await as(server, owner)('save-deadline', {
      ...{ id: crypto.randomUUID(), kind: 'other', title: 'Lease option', locationId: null },
      ...{ dueOn: '2026-12-24', leadDays: 30, yearly: false, done: false },
    })
    server.clock.now = new Date('2026-11-24T13:00:00Z')
    await sendDeadlineReminders(server.deps)
    await sendDeadlineReminders(server.deps)
    await deliver()
    expect(received.map(({ body }) => decrypt(body))).toMatchObject([
      { title: 'Lease option, in 30 days', path: '/portal/deadlines' },
    ])
  })

  test('what was assigned to someone, and not to the person who assigned it', async () => {
    const boss = await buildOwner(server, plan)
    const mia = await buildUser(server, {})
    await seat(server, boss, mia)
    const item = { kind: 'prompt', id: 'closing-note' } as const
    await server.database.db
      .insert(contentItems)
      .values({ ...item, title: 'Closing note', path: '/portal/prompt-packs', publishedAt: start, changedAt: start })
    const { decrypt } = await subscribe(mia)
    await subscribe(boss)
    const input = { assignmentId: crypto.randomUUID(), item, to: { userId: mia.id }, dueOn: null, note: '' }
    await as(server, boss)('assign', input)
    await as(server, boss)('assign', input)
    await deliver()
    expect(received.map(({ body }) => decrypt(body))).toMatchObject([
      { title: 'Assigned to you', body: 'One thing to do', path: '/portal/assignments' },
    ])
  })
})
