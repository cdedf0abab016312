import type { Context } from 'hono'
import { callerInfo } from '#server/http/caller-info.ts'
import type { AppEnv } from '#server/http/principal.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type Device, readDeviceCookie } from './device-cookie.ts'

/** Client of a request. */
export type ClientInfo = {
  /** The full address, for rate limits. */
  address: string
  /** The address without an IPv6 zone, if it can be stored as `inet`. */
  ip: string | null
  userAgent: string | null
  device: Device | null
  /** Session ids from the bearer and the device cookie. Check each before use. */
  heldSessionIds: readonly string[]
}

export function clientInfo({ secrets }: Pick<AuthDeps, 'secrets'>, c: Context<AppEnv>): ClientInfo {
  const address = c.var.clientAddress
  const device = readDeviceCookie(secrets, c)
  return {
    address,
    ...callerInfo({ clientAddress: address, userAgent: c.req.header('user-agent') }),
    device,
    heldSessionIds: Object.values(device?.sessions ?? {}),
  }
}
