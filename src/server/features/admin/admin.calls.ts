import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import { adminAuditLogCall, adminSetDisabledCall, adminUserCall } from '#shared/contracts/admin-security.ts'
import { adminUsersCall } from '#shared/contracts/admin-users.ts'
import { listUsers } from './list-users.ts'
import { readAuditLog } from './read-audit-log.ts'
import { readTotals } from './read-totals.ts'
import { readUser } from './read-user.ts'
import { setDisabled } from './set-disabled.ts'

export const adminCalls = (deps: Deps): Implementation[] => [
  implement(adminUsersCall, async (query) => {
    const { db } = deps.database
    const [page, totals] = await Promise.all([listUsers(db, query), readTotals(db, deps.clock())])
    return { ...page, totals }
  }),
  implement(adminUserCall, ({ user_id }) => readUser(deps, user_id)),
  implement(adminSetDisabledCall, (wanted, who, request) => setDisabled(deps, who, wanted, request)),
  implement(adminAuditLogCall, (query) => readAuditLog({ db: deps.database.db, secrets: deps.secrets }, query ?? {})),
]
