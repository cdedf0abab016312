import type { Deps } from '#server/deps.ts'

/** What the feature takes of the server. */
export type TeamDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue' | 'stripe'>
