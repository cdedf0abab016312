import type { FeatureDeps } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/identity/account-security.ts'
import { createBackupCodes, verifyBackupCode } from './factors/backup-codes.ts'
import { issueProofOfWork } from './limits/proof-of-work.ts'

/** Product calls for accounts, in addition to `/auth/v1`. */
export const authCalls = (
  deps: Pick<FeatureDeps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue' | 'onSignedIn'>,
): Implementation[] => [
  implement(contracts.signUpRulesCall, async () => {
    const { signUpEnabled, password } = deps.config.auth
    return {
      open: signUpEnabled,
      passwordMinLength: password.minLength,
      refuseWeakPasswords: password.refuseWeak,
      proofOfWork: issueProofOfWork(deps),
      sender: deps.config.mail.from,
    }
  }),
  implement(contracts.createBackupCodesCall, (_input, who) => createBackupCodes(deps, who, who.client)),
  implement(contracts.useBackupCodeCall, ({ code }, who) => verifyBackupCode(deps, who, code, who.client)),
]
