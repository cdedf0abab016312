import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { teamInvitation } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { lowerDueSeats } from './seats/lower-due-seats.ts'

/** How long expired invitations are kept, so that a late visitor sees why the link doesn't work. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Deletes old invitations, since they contain email addresses of people without an account. */
export async function sweepInvitations({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await database.db
    .delete(teamInvitation)
    .where(lt(teamInvitation.expiresAt, new Date(clock().getTime() - retentionMs)))
}

export function teamJobs(deps: Deps): FeatureJobs {
  const sweep = defineJob({
    name: 'sweep-invitations',
    payload: z.unknown(),
    retryLimit: 2,
    run: () => sweepInvitations(deps),
  })
  const lower = defineJob({
    name: 'lower-due-seats',
    payload: z.unknown(),
    retryLimit: 1,
    run: () => lowerDueSeats(deps),
  })
  return {
    jobs: [sweep, lower],
    schedules: [
      { job: sweep.name, cron: '41 3 * * *' },
      { job: lower.name, cron: '7 * * * *' },
    ],
  }
}
