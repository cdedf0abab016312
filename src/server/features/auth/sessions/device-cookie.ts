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

const deviceSchema = z.object({ id: z.uuid(), userIds: z.array(z.uuid()).max(maxAccounts) })
export type Device = z.output<typeof deviceSchema>

/**
 * Remembers on the device which accounts signed in from it. It opens nothing: it only lets the right password through
 * while somebody else's guessing has locked the account. Sealed, so that nobody can write one or read who signed in.
 */
export function rememberDevice(
  { secrets, config }: Pick<AuthDeps, 'secrets' | 'config'>,
  c: Context<AppEnv>,
  userId: string,
) {
  const known = readDeviceCookie(secrets, c)
  const userIds = [userId, ...(known?.userIds ?? []).filter((other) => other !== userId)].slice(0, maxAccounts)
  setCookie(c, name, secrets.seal('device', JSON.stringify({ id: known?.id ?? crypto.randomUUID(), userIds })), {
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
