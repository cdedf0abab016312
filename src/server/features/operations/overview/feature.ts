import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'
import { adminUsersCall } from '#shared/contracts/operations/admin-users.ts'
import { listUsers } from './list-users.ts'
import { readOverview } from './read-overview.ts'
import { readTotals } from './read-totals.ts'

const overviewCalls = (deps: Deps): Implementation[] => [
  implement(adminOverviewCall, (_, who) => readOverview(deps, who.staffRole)),
  implement(adminUsersCall, async (query) => {
    const { db } = deps.database
    const [page, totals] = await Promise.all([listUsers(db, query), readTotals(db, deps.clock())])
    return { ...page, totals }
  }),
]

export const overviewFeature: Feature = {
  calls: overviewCalls,
}
