import type { Deps } from '#server/deps.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { resendToMember } from '#server/features/publishing/mailings/sending/resend-to-member.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminExportLogCall,
  adminSetDisabledCall,
  adminStaffLogCall,
  adminUserCall,
} from '#shared/contracts/identity/admin-security.ts'
import {
  adminResendMailingCall,
  adminSendAccountEmailCall,
  adminUnlockSignInCall,
  adminUserSupportCall,
} from '#shared/contracts/operations/admin-support.ts'
import { adminUsersCall } from '#shared/contracts/operations/admin-users.ts'
import { exportStaffLog } from './export-staff-log.ts'
import { listUsers } from './list-users.ts'
import { readStaffLog } from './read-staff-log.ts'
import { readTotals } from './read-totals.ts'
import { readUser } from './read-user.ts'
import { setDisabled } from './set-disabled.ts'
import { readUserSupport } from './support/read-user-support.ts'
import { sendAccountEmail, unlockSignIn } from './support/support-actions.ts'

export const adminCalls = (deps: Deps): Implementation[] => [
  implement(adminUsersCall, async (query) => {
    const { db } = deps.database
    const [page, totals] = await Promise.all([listUsers(db, query), readTotals(db, deps.clock())])
    return { ...page, totals }
  }),
  implement(adminUserCall, ({ userId }) => readUser(deps, userId)),
  implement(adminSetDisabledCall, (wanted, who) => setDisabled(deps, who, wanted)),
  implement(adminUserSupportCall, ({ userId }) => readUserSupport(deps, userId)),
  implement(adminUnlockSignInCall, async ({ userId }, who) => {
    await requireManageable(deps.database.db, who, userId)
    return unlockSignIn(deps, who, userId)
  }),
  implement(adminSendAccountEmailCall, async (wanted, who) => {
    await requireManageable(deps.database.db, who, wanted.userId)
    return sendAccountEmail(deps, who, wanted)
  }),
  implement(adminResendMailingCall, async (wanted, who) => {
    await resendToMember(deps, who, wanted)
    return {}
  }),
  implement(adminExportLogCall, (filter, who) => exportStaffLog(deps, who, filter)),
  implement(adminStaffLogCall, (query) => readStaffLog({ db: deps.database.db, secrets: deps.secrets }, query ?? {})),
]
