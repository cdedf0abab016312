import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  createBackupCodesCall,
  signUpRulesCall,
  useBackupCodeCall,
} from '#shared/contracts/identity/account-security.ts'
import { createBackupCodes, verifyBackupCode } from './factors/backup-codes.ts'
import { issueProofOfWork } from './limits/proof-of-work.ts'
import { callerInfo } from './sessions/client-info.ts'

/** Product calls for accounts, in addition to `/auth/v1`. */
export const authCalls = (
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>,
): Implementation[] => [
  implement(signUpRulesCall, async () => {
    const { signUpEnabled, password } = deps.config.auth
    return {
      open: signUpEnabled,
      passwordMinLength: password.minLength,
      refuseWeakPasswords: password.refuseWeak,
      proofOfWork: issueProofOfWork(deps),
    }
  }),
  implement(createBackupCodesCall, (_input, who, request) => createBackupCodes(deps, who, callerInfo(request))),
  implement(useBackupCodeCall, ({ code }, who, request) => verifyBackupCode(deps, who, code, callerInfo(request))),
]
