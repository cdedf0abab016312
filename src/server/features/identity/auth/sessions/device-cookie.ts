import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { AuthDeps } from '../auth-deps.ts'

const name = 'fc_device'
const maxAgeSeconds = 365 * 24 * 60 * 60
/** Accounts per browser, for shared computers. The oldest are dropped. */
const maxAccounts = 8

const deviceSchema = z.object({
  id: z.uuid(),
  userIds: z.array(z.uuid()).max(maxAccounts),
  /** Latest session id by user. Missing in older cookies. */
  sessions: z.record(z.uuid(), z.uuid()).default({}),
})
export type Device = z.output<typeof deviceSchema>

/**
 * Stores the accounts and sessions of this browser in an encrypted cookie. It grants no access: it lets the right password
 * through during a lockout, and lets an emailed code continue the browser's session.
 */
export function rememberDevice(
  { secrets, config }: Pick<AuthDeps, 'secrets' | 'config'>,
  c: Context<AppEnv>,
  { userId, sessionId }: { userId: string; sessionId: string },
) {
  const known = readDeviceCookie(secrets, c)
  const userIds = [userId, ...(known?.userIds ?? []).filter((other) => other !== userId)].slice(0, maxAccounts)
  const former = Object.entries(known?.sessions ?? {}).filter(([id]) => userIds.includes(id))
  const sessions = { ...Object.fromEntries(former), [userId]: sessionId }
  const device: Device = { id: known?.id ?? crypto.randomUUID(), userIds, sessions }
  setCookie(c, name, secrets.seal('device', JSON.stringify(device)), {
    httpOnly: true,
    sameSite: 'Lax',
    secure: config.publicUrl.startsWith('https://'),
    path: '/auth/v1',
    maxAge: maxAgeSeconds,
  })
}

export function readDeviceCookie(secrets: SecretBox, c: Context<AppEnv>): Device | null {
  const sealed = getCookie(c, name)
  if (!sealed) return null
  try {
    return deviceSchema.parse(JSON.parse(secrets.open('device', sealed)))
  } catch {
    return null
  }
}
