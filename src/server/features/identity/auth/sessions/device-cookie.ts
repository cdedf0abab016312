import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { AppEnv } from '#server/http/principal.ts'
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
  /** Id of the trusted device by user. It replaces the second factor as long as the database has it. */
  trusted: z.record(z.uuid(), z.uuid()).default({}),
})
export type Device = z.output<typeof deviceSchema>

/**
 * Stores the accounts and sessions of this browser in an encrypted cookie. It grants no access: it lets the right password
 * through during a lockout, lets an emailed code continue the browser's session, and replaces the second factor on a device
 * that the user trusts (trusted-devices.ts).
 */
export function rememberDevice(
  { secrets, config }: Pick<AuthDeps, 'secrets' | 'config'>,
  c: Context<AppEnv>,
  { userId, sessionId, trustedId }: { userId: string; sessionId: string; trustedId?: string },
) {
  const known = readDeviceCookie(secrets, c)
  const userIds = [userId, ...(known?.userIds ?? []).filter((other) => other !== userId)].slice(0, maxAccounts)
  const keep = (ids: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(ids).filter(([id]) => userIds.includes(id)))
  const device: Device = {
    id: known?.id ?? crypto.randomUUID(),
    userIds,
    sessions: { ...keep(known?.sessions), [userId]: sessionId },
    trusted: { ...keep(known?.trusted), ...(trustedId && { [userId]: trustedId }) },
  }
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
