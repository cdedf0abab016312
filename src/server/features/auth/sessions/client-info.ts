import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import type { CallRequest } from '#server/http/functions.ts'
import type { Principal } from '#server/http/principal.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type Device, readDeviceCookie } from './device-cookie.ts'

/** Where a request comes from, as sessions remember it. */
export type ClientInfo = {
  /** Whole address, as limits see it. */
  address: string
  /** The same if PostgreSQL can store it: a link-local address with a zone, for one, is none to it. */
  ip: string | null
  userAgent: string | null
  device: Device | null
  /** Sessions that the client holds by its own account: the bearer's and the device's. Ids only; each is checked before use. */
  heldSessionIds: readonly string[]
}

/** Who asks, and from where: what a call that leaves a line in the audit log needs. */
export type CallerContext = { who: Principal; request: Pick<CallRequest, 'clientAddress' | 'userAgent'> }

/** Who makes a product call, as sessions and the audit log remember it. */
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
