import type { Deps } from '#server/feature.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { resendToMember } from '#server/features/publishing/mailings/sending/resend.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminSetDisabledCall, adminUserCall } from '#shared/contracts/operations/member-account.ts'
import * as contracts from '#shared/contracts/operations/member-support.ts'
import { readUser } from '../member-account/read-user.ts'
import { setDisabled } from '../member-account/set-disabled.ts'
import { readUserSupport } from './read-user-support.ts'
import { sendAccountEmail, unlockSignIn } from './support-actions.ts'

export const memberSupportCalls = (deps: Deps): Implementation[] => [
  implement(adminUserCall, ({ userId }) => readUser(deps, userId)),
  implement(adminSetDisabledCall, (wanted, who) => setDisabled(deps, who, wanted)),
  implement(contracts.adminUserSupportCall, ({ userId }) => readUserSupport(deps, userId)),
  implement(contracts.adminUnlockSignInCall, async ({ userId }, who) => {
    await requireManageable(deps.database.db, who, userId)
    return unlockSignIn(deps, who, userId)
  }),
  implement(contracts.adminSendAccountEmailCall, async (wanted, who) => {
    await requireManageable(deps.database.db, who, wanted.userId)
    return sendAccountEmail(deps, who, wanted)
  }),
  implement(contracts.adminResendMailingCall, (wanted, who) => resendToMember(deps, who, wanted)),
]
