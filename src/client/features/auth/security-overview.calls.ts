import { invoke } from '#client/lib/calls.ts'
import { securityOverviewCall } from '#shared/contracts/account-security.ts'

export const readSecurityOverview = (signal: AbortSignal) => invoke(securityOverviewCall, {}, signal)
