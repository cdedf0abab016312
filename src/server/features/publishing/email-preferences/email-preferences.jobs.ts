import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { updateUsualHours } from './usual-hours.ts'

const usualHoursName = 'email-usual-hours'

export function emailPreferencesJobs(deps: Pick<Deps, 'database' | 'clock'>): FeatureJobs {
  return {
    jobs: [
      defineJob({
        name: usualHoursName,
        payload: z.unknown(),
        // The job runs again the next day.
        retryLimit: 1,
        run: async () => {
          await updateUsualHours(deps)
        },
      }),
    ],
    schedules: [{ job: usualHoursName, cron: '41 3 * * *' }],
  }
}
