import { createECDH, createPrivateKey, sign } from 'node:crypto'
import ece from 'http_ece'
import type { Deps } from '#server/feature.ts'

const curve = 'prime256v1'
const tokenSeconds = 12 * 60 * 60

/** The key pair with which push services recognize this server; null while push is off. */
export function pushKeys({ config, secrets }: Pick<Deps, 'config' | 'secrets'>) {
  if (config.push.kind === 'off') return null
  const d = config.push.kind === 'given' ? config.push.privateKey : secrets.sign('push key', 'sandbox')
  const pair = createECDH(curve)
  pair.setPrivateKey(Buffer.from(d, 'base64url'))
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x, y } })
  return { publicKey: point.toString('base64url'), key, subject: `mailto:${config.mail.from}` }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The request's signature (RFC 8292). */
export function signPush(
  { publicKey, key, subject }: NonNullable<ReturnType<typeof pushKeys>>,
  endpoint: string,
  now: Date,
) {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now.getTime() / 1000) + tokenSeconds, sub: subject }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${publicKey}`
}

/** Only the device can decrypt it (RFC 8291). @throws for keys that no browser makes */
export function encryptPush(text: string, { p256dh, auth }: { p256dh: string; auth: string }): Uint8Array {
  const privateKey = createECDH(curve)
  privateKey.generateKeys()
  return ece.encrypt(Buffer.from(text), { version: 'aes128gcm', dh: p256dh, privateKey, authSecret: auth })
}
