import { createHash } from 'node:crypto'
import { and, between, eq, gt, like, type SQL, sql } from 'drizzle-orm'
import type { Database, Db, Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'

/** Key of a counter per email address. Contains only a hash, and exists for unknown addresses as well. */
export const emailCounterKey = (kind: string, email: string) =>
  `${kind}:${createHash('sha256').update(email).digest('hex').slice(0, 40)}`

/** Key of a counter per user. The common prefix lets all of them be deleted with the account. */
export const userCounterKey = (userId: string, what: string) => `account:${userId}:${what}`

/** Matches all counters of a user. The range uses the index, which `like` can't do in most collations. */
export function countersOfUser(userId: string): SQL | undefined {
  const first = userCounterKey(userId, '')
  return and(between(rateLimits.key, first, `${first}zzzz`), like(rateLimits.key, `${first}%`))
}

/** Expired rows that each call deletes along the way. */
const maxPurgedRows = 5

/**
 * Adds a point to a counter, starting a new window if the last one has ended. A window never lasts longer than
 * `windowSeconds` from now: after the clock was set back, it keeps its points and ends then.
 * @returns the points in the current window, including this one, and its end
 */
export async function consumePoint(
  db: Db | Tx,
  key: string,
  windowSeconds: number,
  now: Date,
): Promise<{ points: number; expiresAt: Date }> {
  const stale = sql`${rateLimits.expiresAt} <= ${now.toISOString()}::timestamptz`
  return addPoint(db, key, { windowSeconds, now, stale })
}

/**
 * Like `consumePoint` for a pause between two actions, such as a minute between emails. A pause that ends more than twice
 * its length from now is over: the clock was set back. A caller that is refused rolls back, so it couldn't shorten it. Once
 * its length is left to nodes whose clocks differ.
 */
export async function consumePause(
  db: Db | Tx,
  key: string,
  pauseSeconds: number,
  now: Date,
): Promise<{ points: number; expiresAt: Date }> {
  const latest = new Date(now.getTime() + 2 * pauseSeconds * 1000)
  const stale = sql`(${rateLimits.expiresAt} <= ${now.toISOString()}::timestamptz
    or ${rateLimits.expiresAt} > ${latest.toISOString()}::timestamptz)`
  return addPoint(db, key, { windowSeconds: pauseSeconds, now, stale })
}

async function addPoint(
  db: Db | Tx,
  key: string,
  { windowSeconds, now, stale }: { windowSeconds: number; now: Date; stale: SQL },
): Promise<{ points: number; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + windowSeconds * 1000)
  const [row] = await db
    .insert(rateLimits)
    .values({ key, points: 1, expiresAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        points: sql`case when ${stale} then 1 else ${rateLimits.points} + 1 end`,
        expiresAt: sql`case when ${stale} then excluded.expires_at else least(${rateLimits.expiresAt}, excluded.expires_at) end`,
      },
    })
    .returning({ points: rateLimits.points, expiresAt: rateLimits.expiresAt })
  await db.execute(sql`delete from ${rateLimits} where key in (
    select key from ${rateLimits} where expires_at <= ${now.toISOString()}::timestamptz and key <> ${key}
    limit ${maxPurgedRows} for update skip locked)`)
  return row ?? { points: 1, expiresAt }
}

/** Like `consumePoint` for several points, without purging, for counters on hot paths. */
export async function consumePoints(
  database: Database,
  key: string,
  { points, windowSeconds, now }: { points: number; windowSeconds: number; now: Date },
): Promise<{ points: number; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + windowSeconds * 1000)
  const [row] = await database.prepared<{ points: string | number; expires_at: string | Date }>(
    'auth-add-points',
    `insert into rate_limits as l (key, points, expires_at) values ($1, $2, $3::timestamptz)
      on conflict (key) do update set
        points = case when l.expires_at <= $4::timestamptz then excluded.points else l.points + excluded.points end,
        expires_at = case when l.expires_at <= $4::timestamptz then excluded.expires_at else least(l.expires_at, excluded.expires_at) end
      returning points, expires_at`,
    [key, points, expiresAt.toISOString(), now.toISOString()],
  )
  return row ? { points: Number(row.points), expiresAt: new Date(row.expires_at) } : { points, expiresAt }
}

/** Points and end of the current window; null if there is none. Shortens the window if the clock was set back. */
export async function getCounter(
  database: Database,
  key: string,
  { windowSeconds, now }: { windowSeconds: number; now: Date },
): Promise<{ points: number; expiresAt: Date } | null> {
  const [row] = await database.prepared<{ points: string | number; expires_at: string | Date }>(
    'auth-counter',
    'select points, expires_at from rate_limits where key = $1 and expires_at > $2::timestamptz',
    [key, now.toISOString()],
  )
  if (!row) return null
  const expiresAt = await shortenWindow(
    database.db,
    { key, expiresAt: new Date(row.expires_at) },
    { windowSeconds, now },
  )
  return { points: Number(row.points), expiresAt }
}

/** Ends a window `windowSeconds` from now if it would last longer, as after the clock was set back. @returns its end */
export async function shortenWindow(
  db: Db | Tx,
  { key, expiresAt }: { key: string; expiresAt: Date },
  { windowSeconds, now }: { windowSeconds: number; now: Date },
): Promise<Date> {
  const latest = new Date(now.getTime() + windowSeconds * 1000)
  if (expiresAt <= latest) return expiresAt
  await db
    .update(rateLimits)
    .set({ expiresAt: latest })
    .where(and(eq(rateLimits.key, key), gt(rateLimits.expiresAt, latest)))
  return latest
}

export async function resetCounter(db: Db | Tx, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key))
}

/**
 * Removes all counters of a user. Call it outside the transaction that deletes the account: a sign-in locks counters and
 * user in the opposite order. Counters that remain expire.
 */
export async function deleteUserCounters(db: Db | Tx, userId: string): Promise<void> {
  await db.delete(rateLimits).where(countersOfUser(userId))
}
