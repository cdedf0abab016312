import type { Deps } from '#server/deps.ts'

/** Server dependencies of the teams feature. */
export type TeamDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue' | 'stripe'>
