import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { enterBySegment } from './enter-by-segment.ts'
import { enterByEvents, enterByTime } from './enter-series.ts'
import { exportedData } from './exported-data.ts'
import { runDueSteps } from './run-due-steps.ts'
import { seriesCalls } from './series.calls.ts'

export const seriesFeature: Feature = {
  calls: seriesCalls,
  jobs: (deps) =>
    scheduledJobs({
      series: {
        cron: '* * * * *',
        run: async () => {
          await enterByEvents(deps)
          await enterByTime(deps)
          await enterBySegment(deps)
          await runDueSteps(deps)
        },
      },
    }),
  exportedData,
}
