import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { AuthDeps } from '../auth-deps.ts'

const name = 'fc_device'
const maxAgeSeconds = 365 * 24 * 60 * 60
/** A counter computer is shared; older accounts than these fall off. */
const maxAccounts = 8

const deviceSchema = z.object({
  id: z.uuid(),
  userIds: z.array(z.uuid()).max(maxAccounts),
  /** The session that this browser was last given, by user. Cookies from before it was kept have none. */
  sessions: z.record(z.uuid(), z.uuid()).default({}),
})
export type Device = z.output<typeof deviceSchema>

/**
 * Remembers on the device which accounts signed in from it, and in which session. It opens nothing: it lets the right
 * password through while somebody else's guessing has locked the account, and lets a mailed code continue the session that
 * the browser already has. Sealed, so that nobody can write one or read who signed in.
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
