import type { Feature, FeatureDeps } from '#server/feature.ts'
import { endDeviceTrust } from '#server/features/identity/auth/sessions/trusted-devices.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/identity/account-security.ts'
import { endSession, listSessions } from './account-sessions.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { deleteAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'
import { readSecurityOverview } from './security-overview.ts'

const accountCalls = (deps: FeatureDeps): Implementation[] => [
  implement(contracts.securityOverviewCall, (_input, who) => readSecurityOverview(deps, who)),
  implement(contracts.confirmIdentityCall, (proof, who) => confirmIdentity(deps, who, proof)),
  implement(contracts.listSessionsCall, (_input, who) => listSessions(deps, who)),
  implement(contracts.endSessionCall, ({ id }, who) => endSession(deps, who, id)),
  implement(contracts.endDeviceTrustCall, ({ id }, who) => endDeviceTrust(deps, who, id)),
  implement(contracts.exportDataCall, (_input, who) => exportAccount(deps, who)),
  implement(contracts.deleteAccountCall, ({ email }, who) => deleteAccount(deps, who, email)),
]

export const accountFeature: Feature = {
  calls: accountCalls,
}
