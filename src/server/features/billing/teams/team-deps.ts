import type { Tx } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'

/** Server dependencies of the teams feature. */
export type TeamDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue' | 'stripe'>

/** Moves what other features keep for a team, in the transaction that transfers it. Composed in app.ts. */
export type OnTeamTransferred = (tx: Tx, from: string, to: string) => Promise<void>
