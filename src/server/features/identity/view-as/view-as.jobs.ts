import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { recordEndedViews } from './view-as.ts'

const name = 'record-ended-views'

export function viewAsJobs(deps: Deps): FeatureJobs {
  const job = defineJob({
    name,
    payload: z.unknown(),
    retryLimit: 0,
    run: async () => {
      await recordEndedViews(deps)
    },
  })
  return { jobs: [job], schedules: [{ job: name, cron: '* * * * *' }] }
}
