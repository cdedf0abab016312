import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import { createBackupCodesCall, signUpRulesCall, useBackupCodeCall } from '#shared/contracts/account-security.ts'
import { createBackupCodes, passWithBackupCode } from './factors/backup-codes.ts'
import { issueProofOfWork } from './limits/proof-of-work.ts'
import { callerFacts } from './sessions/client-facts.ts'

/** What the forms of this feature ask, and what they do, beside the wire protocol. */
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
  implement(createBackupCodesCall, (_input, who, request) => createBackupCodes(deps, who, callerFacts(request))),
  implement(useBackupCodeCall, ({ code }, who, request) => passWithBackupCode(deps, who, code, callerFacts(request))),
]
