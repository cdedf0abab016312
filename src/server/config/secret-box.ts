import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Config } from './config.ts'

/** Encrypts and signs with keys derived from the server's secret, one per purpose. Also accepts previous secrets. */
export type SecretBox = {
  /** Encrypts with AES-256-GCM. `open` needs the same `purpose`. */
  seal(purpose: string, text: string): string
  /** @throws if the text was altered, or sealed with another secret or purpose */
  open(purpose: string, sealed: string): string
  /** HMAC-SHA-256 as base64url. */
  sign(purpose: string, text: string): string
  /** Signatures with the current and all previous secrets, for looking up values stored by signature. */
  signatures(purpose: string, text: string): string[]
  /** Accepts signatures of the current and previous secrets. */
  verify(purpose: string, text: string, signature: string): boolean
}

export function createSecretBox(current: string, previous: readonly string[] = []): SecretBox {
  const keysOf = [current, ...previous].map(deriveKeys)
  const [keyFor = deriveKeys(current)] = keysOf
  const sign = (purpose: string, text: string) => signWith(keyFor(purpose), text)
  const signatures = (purpose: string, text: string) => keysOf.map((key) => signWith(key(purpose), text))
  return {
    seal(purpose, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv, { authTagLength })
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(purpose, sealed) {
      const failures: unknown[] = []
      for (const key of keysOf) {
        try {
          return openWith(key(purpose), sealed)
        } catch (error) {
          failures.push(error)
        }
      }
      throw failures[0]
    },
    sign,
    signatures,
    verify: (purpose, text, signature) =>
      signatures(purpose, text).some((expected) => isSame(Buffer.from(expected), Buffer.from(signature))),
  }
}

/** In bytes. Without it, Node accepts truncated tags. */
const authTagLength = 16

/** Caches one key per purpose. Node signs three times as fast with key objects as with raw bytes. */
function deriveKeys(secret: string): (purpose: string) => KeyObject {
  const keys = new Map<string, KeyObject>()
  return (purpose) => {
    const known = keys.get(purpose)
    if (known) return known
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'front-counter', purpose, 32)))
    keys.set(purpose, key)
    return key
  }
}

const signWith = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url')

function openWith(key: KeyObject, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength })
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

const isSame = (expected: Buffer, given: Buffer) => expected.length === given.length && timingSafeEqual(expected, given)

/** 32 random bytes in base64url are 43 characters; a shorter file was truncated. */
const minSecretLength = 32

/**
 * Returns the configured secret, or the data directory's own, which is generated at the first start. The file is created
 * atomically, readable only by its owner.
 * @throws OperatorError if the file is empty or truncated
 */
export function loadSecret(config: Config['secretKey']): string {
  if (config.kind === 'given') return config.value
  const { file } = config
  if (!existsSync(file)) createSecretFile(file)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length >= minSecretLength) return secret
  throw new OperatorError(
    `${file} is empty or truncated, so it can’t be used for encryption. Restore it from a backup. Delete it only if this data directory is new: a new secret can’t decrypt existing data.`,
  )
}

function createSecretFile(file: string) {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  try {
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    // Unlike a rename, a link never replaces a file that another process has created.
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}
