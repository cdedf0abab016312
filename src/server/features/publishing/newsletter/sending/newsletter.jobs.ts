import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { createFollowUps } from './create-follow-ups.ts'
import { createMonthlyDigest } from './create-monthly-digest.ts'

const digestName = 'newsletter-digest'
const followUpsName = 'newsletter-follow-ups'
const throttleCleanupName = 'newsletter-delete-old-usage'

/** Longer than any limit looks back: one warm-up day in any time zone. */
const throttleUsageTtlDays = 3

export function newsletterJobs(deps: Pick<Deps, 'config' | 'database' | 'clock'>): FeatureJobs {
  const jobs = [
    defineJob({
      name: digestName,
      payload: z.unknown(),
      // The job runs again next hour.
      retryLimit: 1,
      run: async () => {
        await createMonthlyDigest(deps)
      },
    }),
    defineJob({
      name: followUpsName,
      payload: z.unknown(),
      // The job runs again next hour.
      retryLimit: 1,
      run: async () => {
        await createFollowUps(deps)
      },
    }),
    defineJob({
      name: throttleCleanupName,
      formerNames: ['newsletter-forget-pace'],
      payload: z.unknown(),
      retryLimit: 1,
      run: async () => {
        const { db } = deps.database
        await db.execute(
          sql`delete from throttle_usage where minute < now() - make_interval(days => ${throttleUsageTtlDays})`,
        )
      },
    }),
  ]
  return {
    jobs: jobs,
    schedules: [
      { job: digestName, cron: '7 * * * *' },
      { job: followUpsName, cron: '37 * * * *' },
      { job: throttleCleanupName, cron: '23 4 * * *' },
    ],
  }
}
