import type { HttpBindings } from '@hono/node-server'
import type { Logger } from './logger.ts'
import type { Principal } from './principal.ts'

export type AppEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    logger: Logger
    /** The client's IP address, read through the trusted proxies. */
    clientAddress: string
    /** Route of metrics, if the matched pattern contains parameters with few known values, such as the name of a call. */
    metricRoute?: string
    /** Set for calls of `/auth/v1` with a valid session. */
    caller?: Principal
  }
}
