import type { Deps } from '#server/deps.ts'
import { seedContent } from '#server/seed/seed-content.ts'

/** Loads the content with the twelve drops that were out on November 30, 2026, whatever the day is. */
export const seedFirstDrops = (deps: Pick<Deps, 'database'>): Promise<boolean> =>
  seedContent({ ...deps, clock: () => new Date('2026-11-30T12:00:00Z') })
