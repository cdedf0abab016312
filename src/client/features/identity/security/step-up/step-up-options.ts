import type { StepUpNeed } from '#client/lib/step-up.ts'
import type { StepUpMethod } from '#shared/contracts/identity/account-security.ts'

export type SecondFactor = { id: string; factor_type: string; friendly_name?: string; status: string }

/** One option in the step-up dialog. */
export type StepUpOption =
  | { kind: 'password' | 'passkey' | 'email-code' | 'backup-code' }
  | FactorOption<'totp'>
  | FactorOption<'webauthn'>
  | FactorOption<'phone'>

type FactorOption<Kind> = { kind: Kind; factorId: string; name: string | null }

type Inputs = {
  need: StepUpNeed
  methods: readonly StepUpMethod[]
  factors: readonly SecondFactor[]
  backupCodesLeft: number
}

const factorKinds = ['totp', 'webauthn', 'phone'] as const

/** The methods the server accepts, in its order, with one option per factor; a backup code comes last. */
export function stepUpOptions({ need, methods, factors, backupCodesLeft }: Inputs): StepUpOption[] {
  const factorOptions = factorKinds.flatMap((kind) =>
    factors
      .filter((factor) => factor.status === 'verified' && factor.factor_type === kind)
      .map((factor): StepUpOption => ({ kind, factorId: factor.id, name: factor.friendly_name || null })),
  )
  const lastResort: StepUpOption[] = factorOptions.length > 0 && backupCodesLeft > 0 ? [{ kind: 'backup-code' }] : []
  if (need === 'second-factor') return [...factorOptions, ...lastResort]
  const offered = methods.flatMap((method): StepUpOption[] =>
    method === 'factor' ? factorOptions : [{ kind: method }],
  )
  return [...offered, ...lastResort]
}

/** Text of the button that selects the option. */
export function optionLabel(option: StepUpOption): string {
  switch (option.kind) {
    case 'password':
      return 'Use your password'
    case 'passkey':
      return 'Use a passkey'
    case 'email-code':
      return 'Get a code by email'
    case 'backup-code':
      return 'Use a backup code'
    case 'totp':
      return option.name ? `Use the app “${option.name}”` : 'Use your authenticator app'
    case 'webauthn':
      return option.name ? `Use the security key “${option.name}”` : 'Use your security key'
    case 'phone':
      return option.name ? `Text a code to “${option.name}”` : 'Text me a code'
  }
}
