import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/**
 * A header of the answer to come, unless the handler sets it itself. Set on Node's own response it costs next to
 * nothing; on Hono's, each answer pays for a Headers object, and for a second response when it is there already.
 */
export function setDefaultHeader(c: Context<AppEnv>, name: string, value: string) {
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.setHeader(name, value)
  else c.header(name, value)
}

/** For a handler whose answer has no use for it. */
export function dropDefaultHeader(c: Context<AppEnv>, name: string) {
  const outgoing = c.env?.outgoing
  if (outgoing) outgoing.removeHeader(name)
  else c.header(name, undefined)
}
