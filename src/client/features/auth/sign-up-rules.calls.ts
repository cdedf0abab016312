import { invoke } from '#client/lib/calls.ts'
import { signUpRulesCall } from '#shared/contracts/account-security.ts'

export const readSignUpRules = (signal: AbortSignal) => invoke(signUpRulesCall, {}, signal)
