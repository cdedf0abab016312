import type { Factor } from '@supabase/auth-js'

/** One way to pass the second step. */
export type MfaMethod =
  | { kind: 'app'; factorId: string; name: string }
  | { kind: 'key'; factorId: string; name: string }
  | { kind: 'phone'; factorId: string; name: string }
  | { kind: 'backup' }
  | { kind: 'passkey' }

const kinds = { totp: 'app', webauthn: 'key', phone: 'phone' } as const
const order: readonly MfaMethod['kind'][] = ['app', 'key', 'phone']

/** As a person recognizes it: "Text message to …42", not the whole number for whoever looks over the shoulder. */
function nameOf(factor: Factor, alone: boolean): string {
  if (factor.factor_type === 'phone') {
    const phone = (factor as { phone?: unknown }).phone
    return typeof phone === 'string' && phone.length > 2 ? `Text message to …${phone.slice(-2)}` : 'Text message'
  }
  const plain = factor.factor_type === 'totp' ? 'Authenticator app' : 'Security key'
  return !alone && factor.friendly_name ? `${plain}: ${factor.friendly_name}` : plain
}

type Able = {
  /** The browser can do the ceremony of keys and passkeys. */
  ceremonies: boolean
  backupCodes: boolean
  /** The account has one. */
  passkey: boolean
}

/** The ways that an account has set up, the quickest first; a backup code and a passkey come last. */
export function mfaMethods(factors: readonly Factor[], { ceremonies, backupCodes, passkey }: Able): MfaMethod[] {
  const verified = factors.filter((factor) => factor.status === 'verified' && Object.hasOwn(kinds, factor.factor_type))
  const ways = verified.map((factor): MfaMethod => {
    const alone = verified.filter((other) => other.factor_type === factor.factor_type).length === 1
    return { kind: kinds[factor.factor_type as keyof typeof kinds], factorId: factor.id, name: nameOf(factor, alone) }
  })
  const rank = (way: MfaMethod) => order.indexOf(way.kind)
  return [
    ...ways.filter((way) => way.kind !== 'key' || ceremonies).toSorted((a, b) => rank(a) - rank(b)),
    ...(backupCodes ? [{ kind: 'backup' } as const] : []),
    ...(passkey && ceremonies ? [{ kind: 'passkey' } as const] : []),
  ]
}

export const methodLabel = (way: MfaMethod) =>
  way.kind === 'backup' ? 'Backup code' : way.kind === 'passkey' ? 'Use a passkey instead' : way.name

export const methodKey = (way: MfaMethod) => ('factorId' in way ? way.factorId : way.kind)
