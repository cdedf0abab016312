import { Secret, TOTP } from 'otpauth'

const period = 30
/** One step either way, for clocks that run apart. */
const window = 1

type Label = { issuer: string; account: string }

const totp = (secret: Secret, { issuer, account }: Label = { issuer: '', account: 'account' }) =>
  new TOTP({ secret, issuer, label: account, algorithm: 'SHA1', digits: 6, period })

/** A secret as authenticator apps take it: base32, the address they scan, and its picture. */
export async function newTotp(label: Label): Promise<{ secret: string; uri: string; qr_code: string }> {
  const secret = new Secret({ size: 20 })
  const uri = totp(secret, label).toString()
  return { secret: secret.base32, uri, qr_code: await qrSvg(uri) }
}

/**
 * The time step that a code belongs to, or null when it is wrong. A step that was used before, or an earlier one, is
 * wrong too: who looks over a shoulder has half a minute otherwise.
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

/**
 * Clients put a data URL before the markup as it stands, so it must hold neither `#` nor `%`: colours go by name. The
 * library is loaded by the few who ask for a picture.
 */
async function qrSvg(text: string): Promise<string> {
  const { default: qrCode } = await import('qrcode')
  const svg = await qrCode.toString(text, { type: 'svg', margin: 2 })
  return svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black').trim()
}
