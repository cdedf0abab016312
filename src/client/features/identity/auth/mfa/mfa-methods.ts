import type { Factor } from '@supabase/auth-js'

/** One way to complete two-step verification. */
export type MfaMethod =
  | { kind: 'app'; factorId: string; name: string }
  | { kind: 'key'; factorId: string; name: string }
  | { kind: 'phone'; factorId: string; name: string }
  | { kind: 'backup' }
  | { kind: 'passkey' }

const kinds = { totp: 'app', webauthn: 'key', phone: 'phone' } as const
const order: readonly MfaMethod['kind'][] = ['app', 'key', 'phone']

/** Shows only the last two digits of a phone number, such as "Text message to …42". */
function nameOf(factor: Factor, alone: boolean): string {
  if (factor.factor_type === 'phone') {
    const phone = (factor as { phone?: unknown }).phone
    return typeof phone === 'string' && phone.length > 2 ? `Text message to …${phone.slice(-2)}` : 'Text message'
  }
  const plain = factor.factor_type === 'totp' ? 'Authenticator app' : 'Security key'
  return !alone && factor.friendly_name ? `${plain}: ${factor.friendly_name}` : plain
}

type Available = {
  /** True if the browser supports security keys and passkeys. */
  ceremonies: boolean
  backupCodes: boolean
  /** True if the account has a passkey. */
  passkey: boolean
}

/** The account's methods, quickest first; a backup code and a passkey come last. */
export function mfaMethods(factors: readonly Factor[], { ceremonies, backupCodes, passkey }: Available): MfaMethod[] {
  const verified = factors.filter((factor) => factor.status === 'verified' && Object.hasOwn(kinds, factor.factor_type))
  const factorMethods = verified.map((factor): MfaMethod => {
    const alone = verified.filter((other) => other.factor_type === factor.factor_type).length === 1
    return { kind: kinds[factor.factor_type as keyof typeof kinds], factorId: factor.id, name: nameOf(factor, alone) }
  })
  const rank = (method: MfaMethod) => order.indexOf(method.kind)
  return [
    ...factorMethods.filter((method) => method.kind !== 'key' || ceremonies).toSorted((a, b) => rank(a) - rank(b)),
    ...(backupCodes ? [{ kind: 'backup' } as const] : []),
    ...(passkey && ceremonies ? [{ kind: 'passkey' } as const] : []),
  ]
}

export const methodLabel = (method: MfaMethod) =>
  method.kind === 'backup' ? 'Backup code' : method.kind === 'passkey' ? 'Use a passkey instead' : method.name

export const methodKey = (method: MfaMethod) => ('factorId' in method ? method.factorId : method.kind)
