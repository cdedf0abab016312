import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import type { Principal } from '#server/http/principal.ts'
import type { CallRequest } from '#server/http/product-calls.ts'
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

/** Caller and request of a function call, for the audit log. */
export type CallerContext = { who: Principal; request: Pick<CallRequest, 'clientAddress' | 'userAgent'> }

/** Client of a function call. */
export const callerInfo = (request: CallerContext['request']) => ({
  ip: storableAddress(request.clientAddress),
  userAgent: storableHeader(request.userAgent),
})

export function clientInfo({ secrets }: Pick<AuthDeps, 'secrets'>, c: Context<AppEnv>): ClientInfo {
  const address = c.var.clientAddress
  const device = readDeviceCookie(secrets, c)
  return {
    address,
    ip: storableAddress(address),
    userAgent: storableHeader(c.req.header('user-agent')),
    device,
    heldSessionIds: Object.values(device?.sessions ?? {}),
  }
}

function storableAddress(address: string): string | null {
  const [ip = ''] = address.split('%')
  return isIP(ip) ? ip : null
}

const storableHeader = (value: string | undefined) => {
  const text = value?.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  return text ? text : null
}
