import { Secret, TOTP } from 'otpauth'

const period = 30
/** Accepted steps before and after, for clock drift. */
const window = 1

type Label = { issuer: string; account: string }

const totp = (secret: Secret, { issuer, account }: Label = { issuer: '', account: 'account' }) =>
  new TOTP({ secret, issuer, label: account, algorithm: 'SHA1', digits: 6, period })

/** A new secret in base32, with the URI for authenticator apps and its QR code. */
export async function newTotp(label: Label): Promise<{ secret: string; uri: string; qr_code: string }> {
  const secret = new Secret({ size: 20 })
  const uri = totp(secret, label).toString()
  return { secret: secret.base32, uri, qr_code: await qrSvg(uri) }
}

/**
 * The time step of a valid code, or null. Steps up to `lastStep` are refused, so that an observed code can't be used again.
 */
export function acceptedStep(secret: string, code: string, lastStep: number | null, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const generator = totp(Secret.fromBase32(secret))
  const delta = generator.validate({ token: code, timestamp, window })
  if (delta === null) return null
  const step = generator.counter({ timestamp }) + delta
  return lastStep !== null && step <= lastStep ? null : step
}

/** Clients prefix the SVG with a data URL scheme unescaped, so it must not contain `#` or `%`. */
async function qrSvg(text: string): Promise<string> {
  const { default: qrCode } = await import('qrcode')
  const svg = await qrCode.toString(text, { type: 'svg', margin: 2 })
  return svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black').trim()
}
