import { invoke } from '#client/lib/calls.ts'
import { securityOverviewCall, signUpRulesCall } from '#shared/contracts/identity/account-security.ts'

// Import this file dynamically on pages for visitors, since the contracts import zod.
export const fetchSecurityOverview = (signal: AbortSignal) => invoke(securityOverviewCall, {}, signal)

export const fetchSignUpRules = (signal: AbortSignal) => invoke(signUpRulesCall, {}, signal)
