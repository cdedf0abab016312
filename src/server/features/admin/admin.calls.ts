import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import { adminUsersCall } from '#shared/contracts/admin-users.ts'
import { listUsers } from './list-users.ts'
import { readTotals } from './read-totals.ts'

export const adminCalls = (deps: Deps): Implementation[] => [
  implement(adminUsersCall, async (query) => {
    const { db } = deps.database
    const [page, totals] = await Promise.all([listUsers(db, query), readTotals(db, deps.clock())])
    return { ...page, totals }
  }),
]
