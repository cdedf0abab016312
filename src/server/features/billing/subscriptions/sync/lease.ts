import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { leases } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { runInKeyedQueue } from './keyed-queue.ts'

type LeaseDeps = Pick<BillingDeps, 'database' | 'logger'>

const leaseSeconds = 30
const renewEveryMs = 10_000
const maxWaitMs = 30_000
/** After this, a lease that is still taken is being renewed. */
const maxCrashMs = (leaseSeconds + 2) * 1000

/**
 * Runs one task at a time per name across all nodes. Uses rows with an expiry, since locks would hold a connection during
 * calls to Stripe. A stalled node can overlap with the next holder, so those calls must be idempotent.
 * @throws AppError overloaded if the lease isn't free within 30 seconds
 */
export const withLease = <T>(deps: LeaseDeps, name: string, run: () => Promise<T>): Promise<T> =>
  runInKeyedQueue(deps.database, name, async () => {
    const token = await waitForLease(deps.database.db, name, maxWaitMs)
    if (token === null) throw new AppError('overloaded')
    return runWithLease(deps, name, token, run)
  })

/**
 * Like `withLease`, but returns null if the lease is taken: at once, or with `outlivesCrash` after the time that a process
 * that was killed can leave its lease behind.
 */
export async function tryLease<T>(
  deps: LeaseDeps,
  name: string,
  run: () => Promise<T>,
  { outlivesCrash = false } = {},
): Promise<T | null> {
  const { db } = deps.database
  const token = outlivesCrash ? await waitForLease(db, name, maxCrashMs) : await takeLease(db, name)
  return token === null ? null : runWithLease(deps, name, token, run)
}

async function runWithLease<T>(deps: LeaseDeps, name: string, token: number, run: () => Promise<T>): Promise<T> {
  const { db } = deps.database
  const ownLease = and(eq(leases.name, name), eq(leases.token, token))
  const renewal = setInterval(() => {
    const renewed = db.update(leases).set({ expiresAt: expiry }).where(ownLease)
    renewed.catch((error: unknown) => deps.logger.warn({ err: error, lease: name }, 'lease renewal failed'))
  }, renewEveryMs)
  try {
    return await run()
  } finally {
    clearInterval(renewal)
    await db.delete(leases).where(ownLease)
  }
}

/** By the database's clock, since the clocks of nodes differ. */
const expiry = sql`now() + make_interval(secs => ${leaseSeconds})`

async function waitForLease(db: Db, name: string, waitMs: number): Promise<number | null> {
  for (const deadline = performance.now() + waitMs; performance.now() < deadline; await delay(randomInt(30, 120))) {
    const token = await takeLease(db, name)
    if (token !== null) return token
  }
  return null
}

/** A lease that ends later than any does, as after the clock was set back, stays with its holder and ends as a new one. */
async function takeLease(db: Db, name: string): Promise<number | null> {
  const token = randomInt(1, 2 ** 47)
  const hasEnded = sql`${leases.expiresAt} <= now()`
  const [lease] = await db
    .insert(leases)
    .values({ name, token, expiresAt: expiry })
    .onConflictDoUpdate({
      target: leases.name,
      set: { token: sql`case when ${hasEnded} then excluded.token else ${leases.token} end`, expiresAt: expiry },
      setWhere: sql`${hasEnded} or ${leases.expiresAt} > ${expiry}`,
    })
    .returning({ token: leases.token })
  return lease?.token === token ? token : null
}
