import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { leases } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { runInKeyedQueue } from './keyed-queue.ts'

type LeaseDeps = Pick<BillingDeps, 'database' | 'logger'>

const leaseSeconds = 30
const renewEveryMs = 10_000
const waitAtMostMs = 30_000

/**
 * One holder at a time for each name, on all nodes, held across calls to Stripe.
 *
 * It is a row with a token and an expiry, because the other locks do not bear being held while
 * the network answers: a transaction would stop the embedded database's only connection, and an advisory lock keeps a
 * pooled connection for each waiting reader until none is left for the queries of those who hold the lock. Within a
 * process the tasks queue in memory, so only nodes compete for the row. A node that dies frees it by the expiry. A node
 * that stalls past the expiry can overlap with the next holder; that is why each call to Stripe under a lease carries an
 * idempotency key, or is one that may be repeated.
 * @throws AppError overloaded when the holder does not come to an end
 */
export const withLease = <T>(deps: LeaseDeps, name: string, run: () => Promise<T>): Promise<T> =>
  runInKeyedQueue(deps.database, name, async () => {
    const token = await waitForLease(deps.database.db, name)
    return holding(deps, name, token, run)
  })

/** Like `withLease`, but answers null at once when somebody else is at it. */
export async function tryLease<T>(deps: LeaseDeps, name: string, run: () => Promise<T>): Promise<T | null> {
  const token = await takeLease(deps.database.db, name)
  return token === null ? null : holding(deps, name, token, run)
}

async function holding<T>(deps: LeaseDeps, name: string, token: number, run: () => Promise<T>): Promise<T> {
  const { db } = deps.database
  const mine = and(eq(leases.name, name), eq(leases.token, token))
  const renewal = setInterval(() => {
    const renewed = db.update(leases).set({ expiresAt: expiry }).where(mine)
    renewed.catch((error: unknown) => deps.logger.warn({ err: error, lease: name }, 'lease not renewed'))
  }, renewEveryMs)
  try {
    return await run()
  } finally {
    clearInterval(renewal)
    await db.delete(leases).where(mine)
  }
}

/** In the database's time: the clocks of nodes differ. */
const expiry = sql`now() + make_interval(secs => ${leaseSeconds})`

async function waitForLease(db: Db, name: string): Promise<number> {
  for (
    const deadline = performance.now() + waitAtMostMs;
    performance.now() < deadline;
    await delay(randomInt(30, 120))
  ) {
    const token = await takeLease(db, name)
    if (token !== null) return token
  }
  throw new AppError('overloaded')
}

async function takeLease(db: Db, name: string): Promise<number | null> {
  const token = randomInt(1, 2 ** 47)
  const taken = await db
    .insert(leases)
    .values({ name, token, expiresAt: expiry })
    .onConflictDoUpdate({
      target: leases.name,
      set: { token, expiresAt: expiry },
      setWhere: sql`${leases.expiresAt} <= now()`,
    })
    .returning({ name: leases.name })
  return taken.length > 0 ? token : null
}
