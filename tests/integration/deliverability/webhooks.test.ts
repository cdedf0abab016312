import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { deliveries, emailEvents, suppressions } from '#server/db/schema/index.ts'
import { FetchRejected } from '#server/features/publishing/deliverability/webhooks/sns-message.ts'
import { returnPathOf } from '#server/mail/newsletter-mailer.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { type Delivered, deliver } from '../email-preferences/support.ts'
import { certificate } from './sns-certificate.ts'
import {
  certificateUrl,
  environment,
  genericRequest,
  keys,
  mailgunFailure,
  mailgunRequest,
  postmarkBounce,
  postmarkRequest,
  type Request,
  sesBounce,
  sesComplaint,
  snsRequest,
} from './webhook-samples.ts'

let server: TestApp
let app: ReturnType<typeof createApp>
let user: TestUser
let sentEmail: Delivered
/** URLs that the server requested. */
let fetched: string[]
const minute = 60_000
const missingCertificateUrl = certificateUrl.replace('0123', '4567')

beforeAll(async () => {
  server = await createTestApp({ env: environment })
})
beforeEach(async () => {
  await server.database.truncate()
  user = await buildUser(server, { email: 'mia@example.test' })
  sentEmail = await deliver(server, user)
  fetched = []
  app = createApp({
    ...server.deps,
    fetchText: async (url) => {
      fetched.push(url)
      if (url === missingCertificateUrl) throw new FetchRejected('answered 404')
      return url === certificateUrl ? certificate.pem : 'confirmed'
    },
  })
})
afterAll(() => server.close())

const post = async ({ source, body, headers }: Request, to = app) =>
  (await to.request(`/webhooks/mail/${source}`, { method: 'POST', body, headers })).status
const events = () => server.database.db.select().from(emailEvents).orderBy(emailEvents.id)
const reasons = async () =>
  (await server.database.db.select().from(suppressions).orderBy(suppressions.stream)).map(
    ({ email, stream, reason }) => `${email} ${stream} ${reason}`,
  )
const messageId = () => `<${sentEmail.links.messageName(sentEmail.to)}@frontcounter.test>`
const sender = () => returnPathOf('bounces@frontcounter.test', messageId()) ?? ''
const sns = (message: object | string, given: Record<string, string> = {}) =>
  snsRequest(certificate.key, server.clock.now, {
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    ...given,
  })
const ago = (ms: number) => new Date(server.clock.now.getTime() - ms)
const hardBounce = () => ({ id: 'b1', type: 'hard_bounce', message_id: messageId(), detail: '550 no such user' })

test('Sources that aren’t configured return 404', async () => {
  const bare = createApp({ ...server.deps, config: { ...server.deps.config, bounceReports: bareReports } })
  for (const source of ['generic', 'ses', 'postmark', 'mailgun', 'other']) {
    expect(await post({ source, body: '{}' }, bare)).toBe(404)
  }
})
const bareReports = { generic: [], sesTopics: [], postmark: null, mailgun: [], bounceAddress: null, mailbox: null }

describe('each format', () => {
  const hardOf: [string, () => Request][] = [
    ['generic', () => genericRequest([hardBounce()], server.clock.now)],
    ['SES', () => sns(sesBounce({ source: sender() }))],
    ['SES with the older signature', () => sns(sesBounce({ source: sender() }), { SignatureVersion: '1' })],
    ['Postmark', () => postmarkRequest(postmarkBounce())],
    ['Mailgun', () => mailgunRequest(mailgunFailure(messageId()), server.clock.now)],
  ]
  test.each(hardOf)('a hard bounce from %s suppresses the address and marks the delivery, once', async (_, request) => {
    const sent = request()
    expect([await post(sent), await post(sent)]).toEqual([200, 200])
    expect(await reasons()).toEqual(['mia@example.test all hard_bounce'])
    expect(await events()).toMatchObject([{ type: 'hard_bounce', deliveryId: Number(sentEmail.deliveryId) }])
    const [row] = await server.database.db.select().from(deliveries)
    expect(row?.bounceType).toBe('hard')
    expect((await events())[0]?.detail).toMatch(/user|exist/i)
  })

  const softOf: [string, () => Request][] = [
    ['generic', () => genericRequest([{ ...hardBounce(), type: 'soft_bounce' }], server.clock.now)],
    ['SES', () => sns(sesBounce({ source: sender(), type: 'Transient' }))],
    ['Postmark', () => postmarkRequest(postmarkBounce({ Type: 'SoftBounce', TypeCode: 4096 }))],
    ['Mailgun', () => mailgunRequest(mailgunFailure(messageId(), { severity: 'temporary' }), server.clock.now)],
  ]
  test.each(softOf)('a soft bounce from %s only marks the delivery', async (_, request) => {
    expect(await post(request())).toBe(200)
    expect(await reasons()).toEqual([])
    expect((await server.database.db.select().from(deliveries))[0]?.bounceType).toBe('soft')
  })

  const complaintOf: [string, () => Request][] = [
    ['generic', () => genericRequest([{ ...hardBounce(), type: 'complaint' }], server.clock.now)],
    ['SES', () => sns(sesComplaint('abuse', sender()))],
    ['Postmark', () => postmarkRequest(postmarkBounce({ RecordType: 'SpamComplaint', Type: 'SpamComplaint' }))],
    ['Mailgun', () => mailgunRequest(mailgunFailure(messageId(), { event: 'complained' }), server.clock.now)],
  ]
  test.each(complaintOf)('a complaint from %s stops the stream', async (_, request) => {
    expect(await post(request())).toBe(200)
    expect(await reasons()).toEqual(['mia@example.test drops complaint'])
  })

  const nothingOf: [string, () => Request][] = [
    ['SES: a delivery', () => sns({ notificationType: 'Delivery', mail: {} })],
    [
      'SES: the greeting of a new topic',
      () => sns('Successfully validated SNS topic for Amazon SES event publishing.'),
    ],
    ['SES: taken out of the spam folder', () => sns(sesComplaint('not-spam'))],
    ['Postmark: an out-of-office answer', () => postmarkRequest(postmarkBounce({ Type: 'AutoResponder' }))],
    ['Postmark: an opening', () => postmarkRequest({ RecordType: 'Open', Email: 'mia@example.test' })],
    ['Mailgun: a delivery', () => mailgunRequest({ id: 'x', event: 'delivered' }, server.clock.now)],
  ]
  test.each(nothingOf)('other reports are accepted and change nothing: %s', async (_, request) => {
    expect(await post(request())).toBe(200)
    expect(await events()).toEqual([])
  })
})

describe('an unsigned report is refused and changes nothing', () => {
  const forged: [string, () => Request][] = [
    [
      'generic with another key',
      () => genericRequest([hardBounce()], server.clock.now, 'the secret of another service'),
    ],
    ['generic without a signature', () => ({ ...genericRequest([hardBounce()], server.clock.now), headers: {} })],
    ['generic with another body', () => ({ ...genericRequest([], server.clock.now), body: '{"events":[{}]}' })],
    ['generic from six minutes ago', () => genericRequest([hardBounce()], ago(6 * minute))],
    ['generic from the future', () => genericRequest([hardBounce()], ago(-6 * minute))],
    ['generic without a timestamp', () => genericRequest([hardBounce()], new Date(Number.NaN))],
    ['Postmark with another password', () => postmarkRequest(postmarkBounce(), { user: 'postmark', password: 'x' })],
    ['Postmark without a password', () => ({ ...postmarkRequest(postmarkBounce()), headers: {} })],
    [
      'Mailgun with another key',
      () => mailgunRequest(mailgunFailure(messageId()), server.clock.now, { key: 'another key, just as long as it' }),
    ],
    ['Mailgun from six minutes ago', () => mailgunRequest(mailgunFailure(messageId()), ago(6 * minute))],
    ['SES with another signature', () => sns(sesBounce(), { Signature: Buffer.from('no').toString('base64') })],
    ['SES from another topic', () => sns(sesBounce(), { TopicArn: 'arn:aws:sns:eu-west-1:666666666666:mail-reports' })],
    ['SES from two days ago', () => sns(sesBounce(), { Timestamp: ago(48 * 60 * minute).toISOString() })],
    [
      'SES with a signature that doesn’t cover the message',
      () => {
        const request = sns({ notificationType: 'Delivery', mail: {} })
        return {
          ...request,
          body: JSON.stringify({ ...JSON.parse(request.body), Message: JSON.stringify(sesBounce()) }),
        }
      },
    ],
  ]
  test.each(forged)('%s', async (_, request) => {
    expect(await post(request())).toBe(400)
    expect(await events()).toEqual([])
    expect(await reasons()).toEqual([])
  })

  test.each([
    'http://sns.eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.test/a.pem',
    'https://evil.test/sns.eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.test/a.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
    'https://sns.eu-west-1.amazonaws.com/a.html',
    'https://bucket.s3.amazonaws.com/a.pem',
    'https://sns.s3-eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com/a.pem?Action=GetEndpointAttributes',
    'https://sns.eu-west-1.amazonaws.com/a/b.pem',
    'file:///etc/passwd',
    'not an address',
  ])('SES with a certificate at %s, which isn’t even requested', async (SigningCertURL) => {
    expect(await post(sns(sesBounce(), { SigningCertURL }))).toBe(400)
    expect(fetched).toEqual([])
  })

  test('SES with an unknown certificate', async () => {
    expect(await post(sns(sesBounce(), { SigningCertURL: missingCertificateUrl }))).toBe(400)
    expect(await events()).toEqual([])
  })

  test('and a flood of forgeries from one address is rate limited', async () => {
    const statuses = []
    for (let n = 0; n < 32; n += 1) statuses.push(await post({ source: 'generic', body: '{}' }))
    expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect(await events()).toEqual([])
  })
})

describe('a copy of a signed report', () => {
  test('from Mailgun with another body and the same token is refused; the same request is not', async () => {
    const token = 'a-token-that-was-seen'
    const first = mailgunRequest({ id: 'x', event: 'delivered' }, server.clock.now, { token })
    const other = mailgunRequest(mailgunFailure(messageId()), server.clock.now, { token })
    expect([await post(first), await post(first), await post(other), await post(other)]).toEqual([200, 200, 400, 400])
    expect(await events()).toEqual([])
  })
})

describe('an SNS subscription', () => {
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc'
  const asking = (given: Record<string, string> = {}) =>
    sns('You have chosen to subscribe', { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL, ...given })

  test('to one of our topics is confirmed at the URL that Amazon signed', async () => {
    expect(await post(asking())).toBe(200)
    expect(fetched).toContain(SubscribeURL)
  })

  test.each([
    ['to another topic', { TopicArn: 'arn:aws:sns:eu-west-1:666666666666:mine' }, 400],
    ['with another URL', { SubscribeURL: 'https://internal.test/?Action=ConfirmSubscription' }, 200],
    ['without a signature', { Signature: 'AAAA' }, 400],
  ])('%s is not', async (_, given, status) => {
    expect(await post(asking(given))).toBe(status)
    expect(fetched.filter((url) => url !== certificateUrl)).toEqual([])
  })
})

test.each(['', '{', '[]', 'null', '{"events":"x"}', `{"events":[${'{},'.repeat(9)}{}]}`, '\0', '"'])(
  'A signed but meaningless body (%j) is a bad request',
  async (body) => {
    const signed = genericRequest([], server.clock.now)
    const { createHmac } = await import('node:crypto')
    const t = Math.floor(server.clock.now.getTime() / 1000)
    const v1 = createHmac('sha256', keys.generic).update(`${t}.${body}`).digest('hex')
    expect(await post({ ...signed, body, headers: { 'Mail-Signature': `t=${t},v1=${v1}` } })).toBe(400)
    expect(await post({ ...postmarkRequest({}), body })).toBe(400)
    expect(await post({ source: 'mailgun', body })).toBe(400)
    expect(await post({ source: 'ses', body })).toBe(400)
  },
)

test('Two hundred concurrent reports are all stored, each once', async () => {
  const request = (n: number) =>
    genericRequest([{ id: `e${n % 100}`, type: 'soft_bounce', email: 'mia@example.test' }], server.clock.now)
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, n) => post(request(n))))
  expect(statuses).toEqual(statuses.map(() => 200))
  expect(await events()).toHaveLength(100)
})
