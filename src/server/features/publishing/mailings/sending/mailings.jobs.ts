import { sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { createFollowUps } from './create-follow-ups.ts'
import { createMonthlyDigest } from './create-monthly-digest.ts'

/** Longer than any limit looks back: one warm-up day in any time zone. */
const throttleUsageTtlDays = 3

export const mailingJobs = (deps: Pick<Deps, 'config' | 'database' | 'clock'>): FeatureJobs =>
  scheduledJobs({
    'newsletter-digest': { cron: '7 * * * *', retryLimit: 1, run: () => createMonthlyDigest(deps) },
    'newsletter-follow-ups': { cron: '37 * * * *', retryLimit: 1, run: () => createFollowUps(deps) },
    'newsletter-delete-old-usage': {
      formerNames: ['newsletter-forget-pace'],
      cron: '23 4 * * *',
      retryLimit: 1,
      run: () =>
        deps.database.db.execute(
          sql`delete from throttle_usage where minute < now() - make_interval(days => ${throttleUsageTtlDays})`,
        ),
    },
  })
