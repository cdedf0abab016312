import type { Deps } from '#server/feature.ts'
import { seedContent } from '#server/seed/seed-content.ts'

/**
 * Loads the content as on the day of the twelfth drop, so that later ones are not out, whatever the day is. The time is in
 * the past: caches go by the latest change.
 */
export const seedFirstDrops = (deps: Pick<Deps, 'database'>): Promise<boolean> =>
  seedContent({ ...deps, clock: () => new Date('2026-11-17T12:00:00Z') })
