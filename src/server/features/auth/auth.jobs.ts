import { and, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { mfaFactors, oneTimeTokens, rateLimits, sessions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob } from '#server/jobs/jobs.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Ended sessions stay this long, so that a replayed token is still told from an unknown one. */
const endedSessionsKeptMs = 30 * dayMs

/** Removes what can have no effect any more: expired counters and codes, factors never finished, sessions long ended. */
export async function sweepExpired({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>) {
  const now = clock()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db.delete(rateLimits).where(lt(rateLimits.expiresAt, now))
  await db.delete(oneTimeTokens).where(lt(oneTimeTokens.createdAt, before(7 * dayMs)))
  await db.delete(mfaFactors).where(and(eq(mfaFactors.status, 'unverified'), lt(mfaFactors.createdAt, before(dayMs))))
  await db.delete(sessions).where(lt(sessions.notAfter, before(endedSessionsKeptMs)))
}

/** A nightly sweep; running it twice removes nothing more. */
export function authJobs(deps: Pick<Deps, 'database' | 'clock'>): {
  jobs: AnyJob[]
  schedules: { job: string; cron: string }[]
} {
  const sweep = defineJob({
    name: 'sweep-expired',
    payload: z.object({}),
    retryLimit: 2,
    run: () => sweepExpired(deps),
  })
  return { jobs: [sweep], schedules: [{ job: sweep.name, cron: '23 3 * * *' }] }
}
