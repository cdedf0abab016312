import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://news.example.com',
  DATABASE_URL: 'postgres://app@db/app',
  SMTP_URL: 'smtps://user:pass@mail.example.com',
  MAIL_FROM: 'news@example.com',
  SECRET_KEY: 'x'.repeat(32),
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
}

const errorsOf = (env: Record<string, string | undefined>) => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

test('without variables, the sandbox has everything it needs', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    mode: 'sandbox',
    port: 3000,
    host: 'localhost',
    publicUrl: 'http://localhost:3000',
    database: { kind: 'pglite', directory: '.data/pg' },
    stripe: { kind: 'sandbox', port: 3001 },
    mail: { kind: 'outbox' },
  })
})

test('the public URL uses the port and has no trailing slash', () => {
  expect(readConfig({ PORT: '4000' })).toMatchObject({ publicUrl: 'http://localhost:4000', stripe: { port: 4001 } })
  expect(readConfig({ PUBLIC_URL: 'http://example.test/' }).publicUrl).toBe('http://example.test')
})

test('an address with a path and passwords that need percent-encoding are refused with what to do', () => {
  expect(errorsOf({ PUBLIC_URL: 'https://example.test/news' })).toContain('PUBLIC_URL: must have no path')
  expect(errorsOf({ SMTP_URL: 'smtp://user:a#b@mail.example.test' })).toContain('%23')
  expect(errorsOf({ REPLIES_MAILBOX_URL: 'imaps://user:a/b@mail.example.test' })).toContain('%2F')
})

test('production with all variables starts and uses nothing from the sandbox', () => {
  const config = readConfig(production)
  expect(config).toMatchObject({ mode: 'production', stripe: { kind: 'live' }, mail: { kind: 'smtp' } })
  expect(JSON.stringify(config)).not.toContain('.data/stripe')
})

test('production without variables is refused with one message that lists all missing ones', () => {
  const message = errorsOf({ NODE_ENV: 'production' })
  for (const name of Object.keys(production)) if (name !== 'NODE_ENV') expect(message).toContain(name)
})

test.each(Object.keys(production).filter((name) => name !== 'NODE_ENV'))('production without %s is refused', (name) => {
  expect(errorsOf({ ...production, [name]: undefined })).toContain(name)
})

test.each([
  ['a test key', { STRIPE_SECRET_KEY: 'sk_test_abc' }, 'STRIPE_SECRET_KEY'],
  ['a plain http address', { PUBLIC_URL: 'http://news.example.com' }, 'PUBLIC_URL'],
  ['the sandbox’s webhook secret', { STRIPE_WEBHOOK_SECRET: 'whsec_front_counter_sandbox' }, 'STRIPE_WEBHOOK_SECRET'],
  ['a sandbox port', { STRIPE_SANDBOX_PORT: '4243' }, 'STRIPE_SANDBOX_PORT'],
  ['a short secret', { SECRET_KEY: 'short' }, 'SECRET_KEY'],
  ['a short former secret', { SECRET_KEY_FORMER: `${'x'.repeat(32)},short` }, 'SECRET_KEY_FORMER'],
])('production with %s is refused', (_what, change, name) => {
  expect(errorsOf({ ...production, ...change })).toContain(name)
})

test.each([
  ['a live key', { STRIPE_SECRET_KEY: 'sk_live_abc' }, 'STRIPE_SECRET_KEY'],
  ['a public host', { HOST: '0.0.0.0' }, 'HOST'],
  ['the same port for two servers', { PORT: '4000', STRIPE_SANDBOX_PORT: '4000' }, 'STRIPE_SANDBOX_PORT'],
  ['an invalid port', { PORT: '99999' }, 'PORT'],
  ['an unknown database URL', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
])('the sandbox with %s is refused', (_what, env, name) => {
  expect(errorsOf(env)).toContain(name)
})

test('several mistakes are reported together', () => {
  const message = errorsOf({ PORT: 'x', DATABASE_URL: 'nonsense', LIMIT_TOKEN: 'many' })
  for (const name of ['PORT', 'DATABASE_URL', 'LIMIT_TOKEN']) expect(message).toContain(name)
})

test('limits are strict in production, generous in the sandbox, and configurable', () => {
  expect(readConfig(production).auth.limits.token).toEqual({ points: 150, windowSeconds: 300 })
  expect(readConfig({}).auth.limits.token.points).toBeGreaterThanOrEqual(1000)
  expect(readConfig({ LIMIT_TOKEN: '7/60' }).auth.limits.token).toEqual({ points: 7, windowSeconds: 60 })
})

const testKey = { ...production, NODE_ENV: 'development', STRIPE_SECRET_KEY: 'sk_test_abc', PUBLIC_URL: undefined }

test.each<[why: string, env: Record<string, string | undefined>, variable: string]>([
  ['production with a test key', { ...production, STRIPE_SECRET_KEY: 'sk_test_abc' }, 'STRIPE_SECRET_KEY'],
  ['production with a restricted test key', { ...production, STRIPE_SECRET_KEY: 'rk_test_abc' }, 'STRIPE_SECRET_KEY'],
  ['production without a key', { ...production, STRIPE_SECRET_KEY: undefined }, 'STRIPE_SECRET_KEY'],
  ['production with a publishable key', { ...production, STRIPE_SECRET_KEY: 'pk_live_abc' }, 'STRIPE_SECRET_KEY'],
  ['production with a sandbox port', { ...production, STRIPE_SANDBOX_PORT: '3001' }, 'STRIPE_SANDBOX_PORT'],
  [
    'production with the webhook secret of the sandbox',
    { ...production, STRIPE_WEBHOOK_SECRET: 'whsec_front_counter_sandbox' },
    'STRIPE_WEBHOOK_SECRET',
  ],
  [
    'production with the webhook secret of the sandbox next to a valid one',
    { ...production, STRIPE_WEBHOOK_SECRET: 'whsec_abc,whsec_front_counter_sandbox' },
    'STRIPE_WEBHOOK_SECRET',
  ],
  ['a live key outside production', { ...testKey, STRIPE_SECRET_KEY: 'sk_live_abc' }, 'STRIPE_SECRET_KEY'],
  ['a restricted live key outside production', { ...testKey, STRIPE_SECRET_KEY: 'rk_live_abc' }, 'STRIPE_SECRET_KEY'],
  [
    'a live key with a sandbox port',
    { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_SANDBOX_PORT: '3001' },
    'STRIPE_SECRET_KEY',
  ],
  ['the sandbox on the port of the server', { PORT: '4000', STRIPE_SANDBOX_PORT: '4000' }, 'STRIPE_SANDBOX_PORT'],
  ['the sandbox on a public host', { HOST: '0.0.0.0' }, 'HOST'],
])('B31: %s is refused with the variable’s name and without repeating a secret', (_why, env, variable) => {
  const message = errorsOf(env)
  expect(message).toContain(`${variable}:`)
  for (const secret of [env.STRIPE_SECRET_KEY, env.SECRET_KEY]) if (secret) expect(message).not.toContain(secret)
})

test('B31: a test key of a real account is accepted outside production with that account’s ids', () => {
  expect(readConfig(testKey)).toMatchObject({ mode: 'sandbox', stripe: { kind: 'live', secretKey: 'sk_test_abc' } })
  expect(errorsOf({ ...testKey, STRIPE_PRODUCT_PRO_YEARLY: 'prod_1' })).toContain('STRIPE_PRICE_PRO_YEARLY: missing')
})

test.each([
  [undefined, 0],
  ['14', 14],
  ['0', 0],
])('TRIAL_DAYS=%s gives a trial of %d days', (given, days) => {
  expect(readConfig({ TRIAL_DAYS: given }).trialDays).toBe(days)
})

test.each(['-1', '400', 'soon', '1.5'])('TRIAL_DAYS=%s is refused', (given) => {
  expect(errorsOf({ TRIAL_DAYS: given })).toContain('TRIAL_DAYS')
})

test('files are stored on disk unless object storage is configured, and an incomplete configuration names what is missing', () => {
  expect(readConfig({ DATA_DIR: '/data' }).media).toEqual({ kind: 'disk', directory: '/data/media' })
  const store = {
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'b',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'sec',
  }
  expect(readConfig(store).media).toEqual({
    kind: 's3',
    endpoint: 'https://s3.example',
    region: 'us-east-1',
    bucket: 'b',
    accessKeyId: 'id',
    secretAccessKey: 'sec',
  })
  const { S3_BUCKET: _, ...half } = store
  expect(errorsOf(half)).toContain('S3_BUCKET: missing')
})

test('bounce reports are off until a source is configured', () => {
  expect(readConfig({}).bounceReports).toEqual({
    generic: [],
    sesTopics: [],
    postmark: null,
    mailgun: [],
    bounceAddress: null,
    mailbox: null,
  })
  const bounceReports = readConfig({
    MAIL_WEBHOOK_SECRET: 'one secret of the webhook, another secret of the webhook',
    MAIL_WEBHOOK_SES_TOPICS: 'arn:aws:sns:eu-west-1:123456789012:mail',
    MAIL_WEBHOOK_POSTMARK: 'postmark:a password: with a colon in it',
    BOUNCE_ADDRESS: 'Bounces@Example.com',
    BOUNCE_MAILBOX_URL: 'file:///var/mail/bounces%20in',
  }).bounceReports
  expect(bounceReports).toMatchObject({
    generic: ['one secret of the webhook', 'another secret of the webhook'],
    postmark: { user: 'postmark', password: 'a password: with a colon in it' },
    bounceAddress: 'bounces@example.com',
    mailbox: { kind: 'maildir', directory: '/var/mail/bounces in' },
  })
})

test.each([
  ['MAIL_WEBHOOK_SECRET', 'short'],
  ['MAIL_WEBHOOK_SES_TOPICS', 'mail-reports'],
  ['MAIL_WEBHOOK_POSTMARK', 'a password without a user'],
  ['MAIL_WEBHOOK_MAILGUN', 'short'],
  ['BOUNCE_ADDRESS', 'bounces+tag@example.com'],
  ['BOUNCE_MAILBOX_URL', 'pop3://mail.example.com'],
  ['REPLIES_MAILBOX_URL', 'file:///var/mail/replies'],
])('%s=%s is refused', (name, value) => {
  expect(errorsOf({ [name]: value })).toContain(name)
})

test('a DKIM key can be a single line, and key and selector need each other', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n'
  const base = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'news@example.com', DKIM_SELECTOR: 's1' }
  for (const given of [pem, pem.replaceAll('\n', '\\n'), Buffer.from(pem).toString('base64')]) {
    expect(readConfig({ ...base, DKIM_PRIVATE_KEY: given }).mail).toMatchObject({
      dkim: { domain: 'example.com', selector: 's1', privateKey: pem },
    })
  }
  expect(() => readConfig(base)).toThrow('DKIM_PRIVATE_KEY: missing')
  expect(() => readConfig({ ...base, DKIM_SELECTOR: '', DKIM_PRIVATE_KEY: pem })).toThrow('DKIM_SELECTOR: missing')
})

test('the configuration can’t be changed, and the publisher’s settings only by replacing them', () => {
  const config = readConfig({})
  const { settings } = config
  const isFixed = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || value instanceof Map
      ? true
      : Object.isFrozen(value) && Object.values(value).every(isFixed)
  expect(isFixed(config)).toBe(true)
  const before = settings.read()
  settings.replace({ appIcon: '/media/bell.png', publication: { ...before.publication, name: 'Back Counter' } })
  expect(settings).toMatchObject({ appIcon: '/media/bell.png', publication: { name: 'Back Counter' } })
  expect(before).toMatchObject({ appIcon: '', publication: { name: 'Front Counter' } })
  expect(isFixed(settings.read())).toBe(true)
  const { publication } = settings
  settings.replace({ publication: structuredClone(publication) })
  expect(settings.publication).toBe(publication)
})
