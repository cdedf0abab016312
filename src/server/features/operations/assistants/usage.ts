import { and, count, countDistinct, eq, gte, isNull, sql } from 'drizzle-orm'
import { counters, oauthConsents } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { dayMs } from '#shared/domain/durations.ts'

type UsageDeps = Pick<Deps, 'database' | 'clock'>

const counter = 'assistant_requests'

/** Counts a request of an assistant, by day (UTC). */
export async function countRequest({ database, clock }: UsageDeps): Promise<void> {
  const day = `${clock().toISOString().slice(0, 10)}T00:00:00Z`
  await database.prepared(
    'assistant-requests',
    `insert into counters (name, bucket, value) values ('${counter}', $1::timestamptz, 1)
      on conflict (name, bucket) do update set value = counters.value + 1`,
    [day],
  )
}

/** Connections that exist now, and what they were used for in the last 30 days. */
export async function readAssistantUsage({ database: { db }, clock }: UsageDeps) {
  const since = new Date(clock().getTime() - 30 * dayMs)
  const [connections] = await db
    .select({
      all: count(),
      people: countDistinct(oauthConsents.userId),
      used: sql<number>`count(*) filter (where ${oauthConsents.lastUsedAt} >= ${since.toISOString()}::timestamptz)::int`,
    })
    .from(oauthConsents)
    .where(isNull(oauthConsents.revokedAt))
  const [requests] = await db
    .select({ sum: sql<number>`coalesce(sum(${counters.value}), 0)::int` })
    .from(counters)
    .where(and(eq(counters.name, counter), gte(counters.bucket, since)))
  return {
    connections: connections?.all ?? 0,
    people: connections?.people ?? 0,
    used: connections?.used ?? 0,
    requests: requests?.sum ?? 0,
  }
}
