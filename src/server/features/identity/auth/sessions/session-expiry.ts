import type { Config } from '#server/config/config.ts'
import { dayMs } from '#shared/domain/durations.ts'

type SessionDays = Config['auth']['sessionDays']

/**
 * End of a session by SESSION_MAX_DAYS and SESSION_IDLE_DAYS, whichever comes first; null without limits. Computed when
 * needed, so that changed settings apply to existing sessions.
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

/** The same in SQL for a session `s`. `least` ignores nulls. A day is 24 hours. */
export const sessionExpirySql = (lastUse: string, longestDays: string, idleDays: string) =>
  `least(s.created_at + make_interval(hours => 24 * ${longestDays}::int), ${lastUse} + make_interval(hours => 24 * ${idleDays}::int))`

/** Last refresh of session `s`, or its creation. */
export const lastUseSql = `coalesce(s.refreshed_at at time zone 'utc', s.created_at)`
