import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { enterBySegment } from './enter-by-segment.ts'
import { enterByEvents, enterByTime } from './enter-series.ts'
import { runDueSteps } from './run-due-steps.ts'

export function seriesJobs(deps: Deps): FeatureJobs {
  const job = defineJob({
    name: 'series',
    payload: z.unknown(),
    // The job runs again next minute.
    retryLimit: 0,
    run: async () => {
      await enterByEvents(deps)
      await enterByTime(deps)
      await enterBySegment(deps)
      await runDueSteps(deps)
    },
  })
  return { jobs: [job], schedules: [{ job: job.name, cron: '* * * * *' }] }
}
