import type { FeatureDeps } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  createBackupCodesCall,
  signUpRulesCall,
  useBackupCodeCall,
} from '#shared/contracts/identity/account-security.ts'
import { createBackupCodes, verifyBackupCode } from './factors/backup-codes.ts'
import { issueProofOfWork } from './limits/proof-of-work.ts'

/** Product calls for accounts, in addition to `/auth/v1`. */
export const authCalls = (
  deps: Pick<FeatureDeps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue' | 'onSignedIn'>,
): Implementation[] => [
  implement(signUpRulesCall, async () => {
    const { signUpEnabled, password } = deps.config.auth
    return {
      open: signUpEnabled,
      passwordMinLength: password.minLength,
      refuseWeakPasswords: password.refuseWeak,
      proofOfWork: issueProofOfWork(deps),
      sender: deps.config.mail.from,
    }
  }),
  implement(createBackupCodesCall, (_input, who) => createBackupCodes(deps, who, who.client)),
  implement(useBackupCodeCall, ({ code }, who) => verifyBackupCode(deps, who, code, who.client)),
]
