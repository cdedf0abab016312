import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import type { HashCost } from '#server/deps.ts'
import { AppError } from '#shared/errors.ts'
import { readStoredHash, type StoredHash } from './stored-hash.ts'

export type PasswordHasher = {
  /** @returns a PHC string. @throws AppError over_request_rate_limit when too many wait already */
  hash(password: string): Promise<string>
  /**
   * Whether the password is right; without a hash it takes as long and says no, so that time tells nobody which
   * accounts exist. `before` runs when its turn has come: a lock that fell meanwhile still counts.
   */
  verify(storedHash: string | null | undefined, password: string, before?: () => Promise<void>): Promise<boolean>
  /** Whether a right password should be hashed anew: the stored hash is of another algorithm or another cost. */
  isOutdated(storedHash: string): boolean
}

/** argon2id as the library numbers it; its enum is a declaration only and does not exist at run time. */
const argon2id = 2
/** Some seconds of work: beyond it a quick refusal is kinder than a late answer. */
const maxWaiting = 400
/** bcrypt looks no further; two passwords that differ only behind it would be one. */
const bcryptBytes = 72

/** Hashes argon2id with no more in flight than there are cores, so that the other requests keep their turn. */
export function createPasswordHasher(cost: HashCost): PasswordHasher {
  const queue = new PQueue({ concurrency: availableParallelism() })
  const options = { algorithm: argon2id, memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: 1 }
  let dummy: Promise<string> | undefined

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= maxWaiting) throw new AppError('over_request_rate_limit')
    return queue.add(work)
  }

  return {
    hash: async (password) => inTurn(() => hash(password, options)),
    verify: async (storedHash, password, before) =>
      inTurn(async () => {
        await before?.()
        const stored = readStoredHash(storedHash)
        if (stored) return compare(stored, password)
        dummy ??= hash(crypto.randomUUID(), options)
        await verify(await dummy, password)
        return false
      }),
    isOutdated(storedHash) {
      const stored = readStoredHash(storedHash)
      return stored?.memoryKiB !== cost.memoryKiB || stored.passes !== cost.passes || stored.kind !== 'argon2id'
    },
  }
}

async function compare({ kind, text }: StoredHash, password: string): Promise<boolean> {
  if (kind !== 'bcrypt') return verify(text, password)
  // Only publishers who bring accounts from elsewhere need it.
  const { default: bcrypt } = await import('bcrypt')
  return Buffer.byteLength(password) <= bcryptBytes && bcrypt.compare(password, text)
}
