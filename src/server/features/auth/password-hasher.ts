import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import type { HashCost } from '#server/deps.ts'
import { AppError } from '#shared/errors.ts'

export type PasswordHasher = {
  /** @returns a PHC string. @throws AppError over_request_rate_limit when too many wait already */
  hash(password: string): Promise<string>
  /**
   * Whether the password is right; without a hash it takes as long and says no, so that time tells nobody which
   * accounts exist. `before` runs when its turn has come: a lock that fell meanwhile still counts.
   */
  verify(storedHash: string | null | undefined, password: string, before?: () => Promise<void>): Promise<boolean>
}

/** argon2id as the library numbers it; its enum is a declaration only and does not exist at run time. */
const argon2id = 2
/** Some seconds of work: beyond it a quick refusal is kinder than a late answer. */
const maxWaiting = 400

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
        if (storedHash?.startsWith('$argon2')) return verify(storedHash, password)
        dummy ??= hash(crypto.randomUUID(), options)
        await verify(await dummy, password)
        return false
      }),
  }
}
