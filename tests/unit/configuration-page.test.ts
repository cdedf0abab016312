import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environmentSchema, readConfig } from '#server/config/config.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://news.example.com',
  DATABASE_URL: 'postgres://app@db/app',
  SECRET_KEY: 'x'.repeat(32),
  SMTP_URL: 'smtps://user:pass@mail.example.com',
  MAIL_FROM: 'news@example.com',
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
}

/** Defaults that depend on the mode, with their production values. */
function productionDefaults(): Record<string, unknown> {
  const { host, auth, smsLimits } = readConfig(production)
  const limit = ({ points, windowSeconds }: { points: number; windowSeconds: number }) => `${points}/${windowSeconds}`
  return {
    HOST: host,
    REQUIRE_ADMIN_MFA: auth.requireAdminMfa,
    PASSWORD_REFUSE_LEAKED: auth.password.refuseLeaked,
    LIMIT_SIGN_UP: limit(auth.limits.signUp),
    LIMIT_TOKEN: limit(auth.limits.token),
    LIMIT_VERIFY: limit(auth.limits.verify),
    LIMIT_FACTOR: limit(auth.limits.factor),
    LIMIT_FAILED_SIGN_IN: limit(auth.limits.failedSignIn),
    SMS_MAX_PER_DAY: smsLimits.perDay,
    SMS_MAX_PER_NUMBER_PER_DAY: smsLimits.perNumberPerDay,
  }
}

function isRequired(name: string): boolean {
  if (name === 'NODE_ENV' || !(name in production)) return false
  try {
    readConfig({ ...production, [name]: undefined })
    return false
  } catch {
    return true
  }
}

function defaultOf(name: string): string {
  if (isRequired(name)) return 'required'
  const value = { ...environmentSchema.parse({}), ...productionDefaults() }[name]
  return value === undefined || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${value}\``
}

test('docs/configuration.md lists every variable with its default', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \|/gm)].map(([, name, value]) => [name, value])
  const expected = Object.keys(environmentSchema.shape).map((name) => [name, defaultOf(name)])
  expect(documented.toSorted()).toEqual(expected.toSorted())
})
