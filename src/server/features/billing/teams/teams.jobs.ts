import { lt } from 'drizzle-orm'
import { teamInvitation } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { lowerDueSeats } from './seats/lower-due-seats.ts'

/** How long expired invitations are kept, so that a late visitor sees why the link doesn't work. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Deletes old invitations, since they contain email addresses of people without an account. */
export async function sweepInvitations({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await database.db
    .delete(teamInvitation)
    .where(lt(teamInvitation.expiresAt, new Date(clock().getTime() - retentionMs)))
}

export const teamJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({
    'sweep-invitations': { cron: '41 3 * * *', retryLimit: 2, run: () => sweepInvitations(deps) },
    'lower-due-seats': { cron: '7 * * * *', retryLimit: 1, run: () => lowerDueSeats(deps) },
  })
