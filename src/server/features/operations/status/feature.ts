import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { backfillSteps } from '#server/jobs/backfills.ts'
import { adminStatusCall } from '#shared/contracts/operations/admin-status.ts'
import { readStatus } from './read-status.ts'

const statusCalls = (deps: Deps): Implementation[] => [implement(adminStatusCall, () => readStatus(deps))]

export const statusFeature: Feature = {
  calls: statusCalls,
  runs: () => [backfillSteps()],
}
