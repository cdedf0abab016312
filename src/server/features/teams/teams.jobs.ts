import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { teamInvitation } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'

/** Kept so long after their end, so that whoever comes late with a link is told why it does not work. */
const keptMs = 30 * 24 * 60 * 60 * 1000

/** Removes invitations long over: the addresses in them are of people who may have nothing to do with us. */
export async function sweepInvitations({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await database.db.delete(teamInvitation).where(lt(teamInvitation.expiresAt, new Date(clock().getTime() - keptMs)))
}

export function teamJobs(deps: Deps): FeatureJobs {
  const sweep = defineJob({
    name: 'sweep-invitations',
    payload: z.unknown(),
    retryLimit: 2,
    run: () => sweepInvitations(deps),
  })
  return { jobs: [sweep] as AnyJob[], schedules: [{ job: sweep.name, cron: '41 3 * * *' }] }
}
