import type { Deps } from '#server/deps.ts'
import type { CallRequest } from '#server/http/functions.ts'
import type { Principal } from '#server/http/principal.ts'

/** What the feature takes of the server. */
export type TeamDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue' | 'stripe'>

/** Who asks, and from where, for the audit log. */
export type Asking = { who: Principal; request: Pick<CallRequest, 'clientAddress' | 'userAgent'> }
