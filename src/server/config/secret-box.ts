import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from './config.ts'

/** Keys derived from the server's one secret, each for its own purpose. */
export type SecretBox = {
  /** AES-256-GCM; `purpose` separates keys and must be repeated to open. */
  seal(purpose: string, text: string): string
  /** @throws when the text was altered or sealed with another secret or purpose */
  open(purpose: string, sealed: string): string
  /** HMAC-SHA-256 as base64url. */
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, signature: string): boolean
}

export function createSecretBox(secret: string): SecretBox {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', secret, 'front-counter', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  const sign = (purpose: string, text: string) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url')
  return {
    seal(purpose, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign,
    verify(purpose, text, signature) {
      const expected = Buffer.from(sign(purpose, text))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}

/** The secret as given, or the data directory's own, made at the first start and readable by its owner alone. */
export function loadSecret(config: Config['secretKey']): string {
  if (config.kind === 'given') return config.value
  mkdirSync(dirname(config.file), { recursive: true })
  try {
    writeFileSync(config.file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(config.file, 'utf8')
}
