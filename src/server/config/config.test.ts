import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://letters.example.com',
  DATABASE_URL: 'postgres://app@db/app',
  SMTP_URL: 'smtps://user:pass@mail.example.com',
  MAIL_FROM: 'letters@example.com',
  SECRET_KEY: 'x'.repeat(32),
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_PRODUCT_PRO_MONTHLY: 'prod_1',
  STRIPE_PRICE_PRO_MONTHLY: 'price_1',
  STRIPE_PRODUCT_PRO_YEARLY: 'prod_2',
  STRIPE_PRICE_PRO_YEARLY: 'price_2',
  STRIPE_PRODUCT_TEAM_MONTHLY: 'prod_3',
  STRIPE_PRICE_TEAM_MONTHLY: 'price_3',
}

const problemsOf = (env: Record<string, string | undefined>) => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

test('without any variable the sandbox is complete', () => {
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

test('the public address follows the port, and loses a trailing slash', () => {
  expect(readConfig({ PORT: '4000' })).toMatchObject({ publicUrl: 'http://localhost:4000', stripe: { port: 4001 } })
  expect(readConfig({ PUBLIC_URL: 'http://example.test/' }).publicUrl).toBe('http://example.test')
})

test('production with everything given starts, and stands on nothing of the sandbox', () => {
  const config = readConfig(production)
  expect(config).toMatchObject({ mode: 'production', stripe: { kind: 'live' }, mail: { kind: 'smtp' } })
  expect(JSON.stringify(config)).not.toContain('.data/stripe')
})

test('production on defaults is refused with one message that lists all that is missing', () => {
  const message = problemsOf({ NODE_ENV: 'production' })
  for (const name of Object.keys(production)) if (name !== 'NODE_ENV') expect(message).toContain(name)
})

test.each(Object.keys(production).filter((name) => name !== 'NODE_ENV'))('production without %s is refused', (name) => {
  expect(problemsOf({ ...production, [name]: undefined })).toContain(name)
})

test.each([
  ['a test key', { STRIPE_SECRET_KEY: 'sk_test_abc' }, 'STRIPE_SECRET_KEY'],
  ['a plain http address', { PUBLIC_URL: 'http://letters.example.com' }, 'PUBLIC_URL'],
  ['the sandbox’s webhook secret', { STRIPE_WEBHOOK_SECRET: 'whsec_front_counter_sandbox' }, 'STRIPE_WEBHOOK_SECRET'],
  ['a sandbox port', { STRIPE_SANDBOX_PORT: '4243' }, 'STRIPE_SANDBOX_PORT'],
  ['a short secret', { SECRET_KEY: 'short' }, 'SECRET_KEY'],
])('production with %s is refused', (_what, change, name) => {
  expect(problemsOf({ ...production, ...change })).toContain(name)
})

test.each([
  ['a live key', { STRIPE_SECRET_KEY: 'sk_live_abc' }, 'STRIPE_SECRET_KEY'],
  ['an address that others can reach', { HOST: '0.0.0.0' }, 'HOST'],
  ['one port for two servers', { PORT: '4000', STRIPE_SANDBOX_PORT: '4000' }, 'STRIPE_SANDBOX_PORT'],
  ['a port that is none', { PORT: '99999' }, 'PORT'],
  ['a database of another kind', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
])('the sandbox with %s is refused', (_what, env, name) => {
  expect(problemsOf(env)).toContain(name)
})

test('several mistakes are told at once', () => {
  const message = problemsOf({ PORT: 'x', DATABASE_URL: 'nonsense', LIMIT_TOKEN: 'many' })
  for (const name of ['PORT', 'DATABASE_URL', 'LIMIT_TOKEN']) expect(message).toContain(name)
})

test('limits are strict in production, generous in the sandbox, and configurable', () => {
  expect(readConfig(production).auth.limits.token).toEqual({ points: 150, windowSeconds: 300 })
  expect(readConfig({}).auth.limits.token.points).toBeGreaterThanOrEqual(1000)
  expect(readConfig({ LIMIT_TOKEN: '7/60' }).auth.limits.token).toEqual({ points: 7, windowSeconds: 60 })
})
