import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { isTimeZone } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { readerHourAfter } from '#shared/domain/reader-hour.ts'
import type { MailingRow } from './mailing-row.ts'

/** An hour of the day in a time zone, and when readers who have it get the mailing. */
export type ReaderHour = { timeZone: string; hour: number; sendAt: Date }

export type ReaderHours = {
  /** For readers without an hour or a known time zone, and the beginning of the 24 hours of the others. */
  publishedAt: Date
  hours: ReaderHour[]
}

/** The hour of the day that a reader chose or usually reads at; null for the publication's. `prefs` are the reader's. */
export const readerHourSql = sql`case
  when prefs.drop_time = 'usual' then prefs.usual_hour
  when prefs.drop_time ~ '^[0-9]{1,2}$' then prefs.drop_time::smallint end`

/**
 * When readers get a mailing that is prepared now, for each pair of time zone and hour that readers have. The 24 hours
 * begin at the time it was scheduled for, unless a pause made it a day late.
 */
export async function readReaderHours(
  tx: Tx,
  { scheduledAt }: Pick<MailingRow, 'scheduledAt'>,
  now: Date,
): Promise<ReaderHours> {
  const isOnTime = scheduledAt !== null && now.getTime() - scheduledAt.getTime() < dayMs
  const publishedAt = isOnTime ? scheduledAt : now
  // In the order of zones, whose formatters are slow to create.
  const pairs = await queryRows<{ timeZone: string; hour: number }>(
    tx,
    sql`select distinct prefs.time_zone as "timeZone", ${readerHourSql}::int as hour from email_preferences prefs
      where prefs.time_zone is not null and ${readerHourSql} is not null order by 1, 2`,
  )
  const isKnown = new Map(pairs.map(({ timeZone }) => [timeZone, isTimeZone(timeZone)]))
  const hours = pairs
    .filter(({ timeZone }) => isKnown.get(timeZone))
    .map((pair) => ({ ...pair, sendAt: readerHourAfter(publishedAt, pair.timeZone, pair.hour) }))
  return { publishedAt, hours }
}

/** Fragments for a statement with one row per reader and their `prefs`. */
export function sendAtSql(readerHours: ReaderHours | null) {
  if (!readerHours) return { join: sql``, sendAt: sql`null::timestamptz` }
  const { publishedAt, hours } = readerHours
  return {
    join: sql`left join jsonb_to_recordset(${JSON.stringify(hours)}::jsonb)
        as reader_hour ("timeZone" text, hour smallint, "sendAt" timestamptz)
      on reader_hour."timeZone" = prefs.time_zone and reader_hour.hour = ${readerHourSql}`,
    sendAt: sql`coalesce(reader_hour."sendAt", ${publishedAt.toISOString()}::timestamptz)`,
  }
}
