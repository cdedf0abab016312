import type { Config } from '#server/config/config.ts'

type SessionDays = Config['auth']['sessionDays']

const dayMs = 24 * 60 * 60 * 1000

/**
 * When the operator's rule ends a session: so long after it began, or after its last use, whichever comes first. Null
 * without a rule. It looks at what the session did and not at what the rule was then, so a new rule holds for all.
 */
export function sessionExpiry(
  session: { createdAt: Date; refreshedAt: Date | null },
  { max, idle }: SessionDays,
): Date | null {
  const ends = [
    max === null ? null : session.createdAt.getTime() + max * dayMs,
    idle === null ? null : (session.refreshedAt ?? session.createdAt).getTime() + idle * dayMs,
  ].filter((end) => end !== null)
  return ends.length > 0 ? new Date(Math.min(...ends)) : null
}

/** The same rule in SQL, over a session `s`; `least` passes over what is null. Days are of 24 hours, in every zone. */
export const sessionExpirySql = (lastUse: string, longestDays: string, idleDays: string) =>
  `least(s.created_at + make_interval(hours => 24 * ${longestDays}::int), ${lastUse} + make_interval(hours => 24 * ${idleDays}::int))`

/** When session `s` was last refreshed, or else begun. */
export const lastUseSql = `coalesce(s.refreshed_at at time zone 'utc', s.created_at)`
