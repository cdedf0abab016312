import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { isTimeZone } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { usualHour } from '#shared/domain/reader-hour.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'

/** Habits change, so older activity doesn't count. */
const lookBackDays = 90
const batchSize = 1_000

/**
 * Computes the hour at which each reader usually reads, from what is stored anyway: when they read, copied and tried things
 * in the portal, and clicked in emails. Clicks by bots don't count, and no opens, since email apps open every email.
 * Readers whose time zone isn't known have no such hour.
 */
export async function updateUsualHours({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const since = new Date(clock().getTime() - lookBackDays * dayMs)
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const readers = await readActivity(database.db, { since, after })
    const hours = readers.map(({ userId, timeZone, at }) => ({ userId, hour: hourOf(timeZone, at) }))
    await database.db.execute(sql`
      update email_preferences p set usual_hour = computed.hour
      from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) as computed ("userId" uuid, hour smallint)
      where p.user_id = computed."userId" and p.usual_hour is distinct from computed.hour`)
    const last = readers.at(-1)
    if (!last || readers.length < batchSize) return
    after = last.userId
  }
}

function hourOf(timeZone: string, at: readonly string[]): number | null {
  if (!isTimeZone(timeZone)) return null
  // Reading five sections within an hour counts once.
  const activeHours = new Set(at.map((instant) => localTimeOf(instant, timeZone).slice(0, 13)))
  return usualHour([...activeHours].map((hour) => Number(hour.slice(11))))
}

type Activity = { userId: string; timeZone: string; at: string[] }

/** Quarters of an hour, the smallest difference between time zones, in which readers were active. */
async function readActivity(
  db: Deps['database']['db'],
  { since, after }: { since: Date; after: string },
): Promise<Activity[]> {
  const from = sql`${since.toISOString()}::timestamptz`
  return queryRows<Activity>(
    db,
    sql`
    with reader as (
      select user_id, time_zone from email_preferences
      where time_zone is not null and user_id > ${after}::uuid order by user_id limit ${batchSize}
    ), active as (
      select d.user_id, d.clicked_at as at from deliveries d join reader using (user_id) where d.clicked_at >= ${from}
      union all
      select r.user_id, seen.at from reading_state r join reader using (user_id)
        cross join unnest(array[r.read_at, r.position_at, r.finished_at]) as seen (at) where seen.at >= ${from}
      union all
      select i.user_id, used.at from item_uses i join reader using (user_id)
        cross join unnest(array[i.first_at, i.last_at]) as used (at) where used.at >= ${from}
      union all
      select t.user_id, t.started_at from tries t join reader using (user_id) where t.started_at >= ${from}
    ), quarter as (
      select distinct user_id, date_bin('15 minutes', at, timestamptz '2000-01-01') as at from active
    )
    select reader.user_id as "userId", reader.time_zone as "timeZone",
      coalesce(json_agg(to_char(quarter.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"'))
        filter (where quarter.at is not null), '[]') as at
    from reader left join quarter using (user_id)
    group by reader.user_id, reader.time_zone order by reader.user_id`,
  )
}
