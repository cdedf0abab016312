import { createHmac, sign } from 'node:crypto'

export const keys = {
  generic: 'a secret of the generic webhook',
  mailgun: 'a signing key of mailgun’s account',
  postmark: { user: 'postmark', password: 'a long password for postmark alone' },
  topic: 'arn:aws:sns:eu-west-1:123456789012:mail-reports',
}

export const environment = {
  MAIL_WEBHOOK_SECRET: `an older secret of the webhook,${keys.generic}`,
  MAIL_WEBHOOK_SES_TOPICS: keys.topic,
  MAIL_WEBHOOK_POSTMARK: `${keys.postmark.user}:${keys.postmark.password}`,
  MAIL_WEBHOOK_MAILGUN: keys.mailgun,
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

export type Request = { source: string; body: string; headers?: Record<string, string> }

export function genericRequest(events: unknown[], at: Date, key = keys.generic): Request {
  const body = JSON.stringify({ events })
  const v1 = createHmac('sha256', key)
    .update(`${seconds(at)}.${body}`)
    .digest('hex')
  return { source: 'generic', body, headers: { 'Mail-Signature': `t=${seconds(at)},v1=${v1}` } }
}

export function postmarkRequest(record: object, { user, password } = keys.postmark): Request {
  const Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return { source: 'postmark', body: JSON.stringify(record), headers: { Authorization } }
}

export const postmarkBounce = (given: object = {}) => ({
  RecordType: 'Bounce',
  ID: 4323372036854776000,
  Type: 'HardBounce',
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: '',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  ServerID: 23,
  MessageStream: 'outbound',
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
  Email: 'mia@example.test',
  From: 'newsletter@frontcounter.test',
  BouncedAt: '2026-03-01T08:59:00Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: 'Three replies that win back a guest',
  ...given,
})

type MailgunEvent = Record<string, unknown>

export function mailgunRequest(
  event: MailgunEvent,
  at: Date,
  { key = keys.mailgun, token = crypto.randomUUID() } = {},
) {
  const timestamp = String(seconds(at))
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  const body = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event })
  return { source: 'mailgun', body } satisfies Request
}

export const mailgunFailure = (messageId: string, given: MailgunEvent = {}): MailgunEvent => ({
  id: 'G9Bn5sl1TC6nu79C8C0bwg',
  timestamp: 1772355540.123,
  event: 'failed',
  severity: 'permanent',
  reason: 'bounce',
  'log-level': 'error',
  recipient: 'mia@example.test',
  envelope: { sender: 'newsletter@frontcounter.test', transport: 'smtp', targets: 'mia@example.test' },
  message: { headers: { to: 'mia@example.test', 'message-id': messageId, subject: 'Another subject' }, size: 111 },
  'delivery-status': { code: 550, 'attempt-no': 1, message: '5.1.1 User unknown', description: '' },
  ...given,
})

export const sesBounce = ({ source = 'newsletter@frontcounter.test', type = 'Permanent', id = 'feedback-1' } = {}) => ({
  notificationType: 'Bounce',
  bounce: {
    feedbackId: id,
    bounceType: type,
    bounceSubType: 'General',
    bouncedRecipients: [
      { emailAddress: 'mia@example.test', action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 user unknown' },
    ],
    timestamp: '2026-03-01T08:59:00.000Z',
    reportingMTA: 'dsn; a1-2.smtp-out.eu-west-1.amazonses.com',
  },
  mail: {
    timestamp: '2026-03-01T08:58:00.000Z',
    source,
    messageId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000',
    destination: ['mia@example.test'],
  },
})

export const sesComplaint = (feedbackType = 'abuse', source = 'newsletter@frontcounter.test') => ({
  eventType: 'Complaint',
  complaint: {
    feedbackId: `complaint-${feedbackType}`,
    complaintFeedbackType: feedbackType,
    complainedRecipients: [{ emailAddress: 'mia@example.test' }],
    timestamp: '2026-03-01T08:59:30.000Z',
    userAgent: 'ExampleCorp Feedback Loop (V0.01)',
  },
  mail: { timestamp: '2026-03-01T08:58:00.000Z', source, destination: ['mia@example.test'] },
})

export const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem'

/** Signed as Amazon documents: field name and value on a line each, in this order. */
export function snsRequest(key: string, at: Date, given: Record<string, string>): Request {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: keys.topic,
    Message: '{}',
    Timestamp: at.toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    ...given,
  }
  const names =
    message.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.flatMap((name) => (name in message ? [name, message[name]] : [])).join('\n')
  const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256'
  const Signature = given.Signature ?? sign(algorithm, Buffer.from(`${text}\n`), key).toString('base64')
  return {
    source: 'ses',
    body: JSON.stringify({ ...message, Signature }),
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': message.Type ?? '' },
  }
}
