import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'
import { readOverview } from './read-overview.ts'

const overviewCalls = (deps: Deps): Implementation[] => [
  implement(adminOverviewCall, (_, who) => readOverview(deps, who.staffRole)),
]

export const overviewFeature: Feature = {
  calls: overviewCalls,
}
