import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { AppError } from '#shared/errors.ts'
import { readStoredHash, type StoredHash } from './stored-hash.ts'

export type HashCost = { memoryKiB: number; passes: number }

export type PasswordHasher = {
  /** @returns a PHC string. @throws AppError over_request_rate_limit when the queue is full */
  hash(password: string): Promise<string>
  /**
   * Without a hash it takes the same time and returns false, so that timing doesn't reveal accounts. `before` runs right
   * before the comparison, to notice lockouts that happened while waiting in the queue.
   */
  verify(storedHash: string | null | undefined, password: string, before?: () => Promise<void>): Promise<boolean>
  /** True if the stored hash uses another algorithm or cost than new ones. */
  isOutdated(storedHash: string): boolean
}

/** The library's `Algorithm.Argon2id`, a const enum without a runtime value. */
const argon2id = 2
/** A few seconds of work. */
const maxQueued = 400
/** bcrypt ignores bytes beyond this. */
const maxBcryptBytes = 72

/** Hashes with argon2id, at most one per core at a time, so that other requests stay fast. */
export function createPasswordHasher(cost: HashCost): PasswordHasher {
  const queue = new PQueue({ concurrency: availableParallelism() })
  const options = { algorithm: argon2id, memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: 1 }
  let dummy: Promise<string> | undefined

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= maxQueued) throw new AppError('over_request_rate_limit')
    return queue.add(work)
  }

  return {
    hash: async (password) => enqueue(() => hash(password, options)),
    verify: async (storedHash, password, before) =>
      enqueue(async () => {
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
  // Loaded on demand: only imported accounts have bcrypt hashes.
  const { default: bcrypt } = await import('bcrypt')
  return Buffer.byteLength(password) <= maxBcryptBytes && bcrypt.compare(password, text)
}
