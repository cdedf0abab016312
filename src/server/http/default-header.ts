import type { Context } from 'hono'
import type { AppEnv } from './principal.ts'

/**
 * Sets a response header that handlers can override. Uses Node's response, because Hono's context would create a Headers
 * object, and sometimes a second response, for every request.
 */
export function setDefaultHeader(c: Context<AppEnv>, name: string, value: string) {
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.setHeader(name, value)
  else c.header(name, value)
}

export function dropDefaultHeader(c: Context<AppEnv>, name: string) {
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.removeHeader(name)
  else c.header(name, undefined)
}

export function readDefaultHeader(c: Context<AppEnv>, name: string): string | undefined {
  const outgoing = c.env?.outgoing
  return (outgoing ? outgoing.getHeader(name)?.toString() : c.res.headers.get(name)) ?? undefined
}
