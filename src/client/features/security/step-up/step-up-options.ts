import type { StepUpNeed } from '#client/lib/step-up.ts'
import type { StepUpMethod } from '#shared/contracts/account-security.ts'

export type SecondFactor = { id: string; factor_type: string; friendly_name?: string; status: string }

/** One way to show who one is, as the dialog offers it. */
export type StepUpOption =
  | { kind: 'password' | 'passkey' | 'email-code' | 'backup-code' }
  | FactorOption<'totp'>
  | FactorOption<'webauthn'>
  | FactorOption<'phone'>

type FactorOption<Kind> = { kind: Kind; factorId: string; name: string | null }

type Known = {
  need: StepUpNeed
  methods: readonly StepUpMethod[]
  factors: readonly SecondFactor[]
  backupCodesLeft: number
}

const factorKinds = ['totp', 'webauthn', 'phone'] as const

/** The ways that the server takes, in its order; each second step is a way of its own, and a backup code the last. */
export function stepUpOptions({ need, methods, factors, backupCodesLeft }: Known): StepUpOption[] {
  const steps = factorKinds.flatMap((kind) =>
    factors
      .filter((factor) => factor.status === 'verified' && factor.factor_type === kind)
      .map((factor): StepUpOption => ({ kind, factorId: factor.id, name: factor.friendly_name || null })),
  )
  const lastResort: StepUpOption[] = steps.length > 0 && backupCodesLeft > 0 ? [{ kind: 'backup-code' }] : []
  if (need === 'second-factor') return [...steps, ...lastResort]
  const offered = methods.flatMap((method): StepUpOption[] => (method === 'factor' ? steps : [{ kind: method }]))
  return [...offered, ...lastResort]
}

/** What the button says that leads to this way. */
export function optionLabel(option: StepUpOption): string {
  switch (option.kind) {
    case 'password':
      return 'Use your password'
    case 'passkey':
      return 'Use a passkey'
    case 'email-code':
      return 'Get a code by mail'
    case 'backup-code':
      return 'Use a backup code'
    case 'totp':
      return option.name ? `Use the app “${option.name}”` : 'Use your authenticator app'
    case 'webauthn':
      return option.name ? `Use the security key “${option.name}”` : 'Use your security key'
    case 'phone':
      return option.name ? `Get a text message on “${option.name}”` : 'Get a text message'
  }
}
