import type { Feature } from '#server/feature.ts'
import { backfillSteps } from '#server/jobs/backfills.ts'
import { statusCalls } from './status.calls.ts'

export const statusFeature: Feature = {
  calls: statusCalls,
  runs: () => [backfillSteps()],
}
