import type { HttpBindings } from '@hono/node-server'
import type { Logger } from './logger.ts'
import type { Principal } from './principal.ts'

/** What every handler finds in its context. */
export type AppEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    logger: Logger
    /** Address of the client, behind the trusted proxies. */
    clientAddress: string
    /** Set once a call of `/auth/v1` has found a live session behind its bearer. */
    caller?: Principal
  }
}
