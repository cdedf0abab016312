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
import { OperatorProblem } from '#server/operator-problem.ts'
import type { Config } from './config.ts'

/** Keys derived from the server's one secret, each for its own purpose. What former secrets made is still understood. */
export type SecretBox = {
  /** AES-256-GCM; `purpose` separates keys and must be repeated to open. */
  seal(purpose: string, text: string): string
  /** @throws when the text was altered or sealed with another secret or purpose */
  open(purpose: string, sealed: string): string
  /** HMAC-SHA-256 as base64url. */
  sign(purpose: string, text: string): string
  /** What `sign` gives, and would have given under each former secret: to find what was kept by its signature. */
  signatures(purpose: string, text: string): string[]
  /** Under the present secret or a former one. */
  verify(purpose: string, text: string, signature: string): boolean
}

export function createSecretBox(present: string, former: readonly string[] = []): SecretBox {
  const keysOf = [present, ...former].map(deriveKeys)
  const [keyFor = deriveKeys(present)] = keysOf
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

/** Bytes. Without it Node accepts shortened tags. */
const authTagLength = 16

/** One key for each purpose, derived once. As key objects: Node takes three times as long to sign with the bare bytes. */
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

/** 32 random bytes in base64url are 43 characters; what is much shorter was cut off. */
const minSecretLength = 32

/**
 * The secret as given, or the data directory's own, made at the first start and readable by its owner alone. The file
 * appears whole or not at all, also when the disk is full or two processes start at once.
 * @throws OperatorProblem if the file is empty or cut off: every key would be derived from almost nothing
 */
export function loadSecret(config: Config['secretKey']): string {
  if (config.kind === 'given') return config.value
  const { file } = config
  if (!existsSync(file)) createSecretFile(file)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length >= minSecretLength) return secret
  throw new OperatorProblem(
    `${file} is empty or cut off, so nothing can be encrypted with it. Restore it from a backup; delete it only if this data directory is new, since a new secret can't open what the old one sealed.`,
  )
}

function createSecretFile(file: string) {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  try {
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    // Unlike a rename, a link never replaces the file that another process made meanwhile.
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}
