import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'

/** The queue's reading of the database's clock. */
const now = sql`pgboss.job_now()`
/** The queue stamps its schedules every 30 seconds. A smaller step is over before anything waits long. */
const maxAheadMinutes = 2

/** False before the queue's first start, and before its first start in a version with this function. */
export async function hasQueueClock(db: Db): Promise<boolean> {
  const [row] = await queryRows<{ exists: boolean }>(
    db,
    sql`select to_regprocedure('pgboss.job_now()') is not null as exists`,
  )
  return row?.exists ?? false
}

/**
 * After the database's clock was set back, moves the queue's times that are ahead back to now. Otherwise schedules, waiting
 * jobs, and jobs of a node that died would wait until the clock has caught up. Nothing here enqueues jobs for later.
 * @returns whether the clock was set back
 */
export async function catchUpQueueClock(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ahead = await queryRows(
      tx,
      sql`update pgboss.version set cron_on = null, bam_on = null, flow_on = null, reindex_on = null, monitor_backoff_on = null
        where cron_on > ${now} + make_interval(mins => ${maxAheadMinutes}) returning 1`,
    )
    if (ahead.length === 0) return false
    await tx.execute(sql`update pgboss.queue set
        monitor_claim_on = case when monitor_claim_on <= ${now} then monitor_claim_on end,
        monitor_on = case when monitor_on <= ${now} then monitor_on end,
        maintain_on = case when maintain_on <= ${now} then maintain_on end
      where monitor_claim_on > ${now} or monitor_on > ${now} or maintain_on > ${now}`)
    await tx.execute(sql`update pgboss.job set start_after = ${now} where state = 'created' and start_after > ${now}`)
    // The longest pause before a retry, as the queue computes it.
    await tx.execute(sql`update pgboss.job set start_after = least(start_after, ${now} + make_interval(
        secs => least(retry_delay_max, greatest(retry_delay, 1) * 2 ^ least(16, retry_count + 1))))
      where state = 'retry' and start_after > ${now}`)
    await tx.execute(sql`update pgboss.job set started_on = least(started_on, ${now}),
        heartbeat_on = case when heartbeat_on is not null then least(heartbeat_on, ${now}) end
      where state = 'active' and (started_on > ${now} or heartbeat_on > ${now})`)
    // Minutes for which a schedule's job was made. They come a second time.
    await tx.execute(sql`update pgboss.job set singleton_on = null
      where state > 'active' and singleton_on > ${now} at time zone 'utc'`)
    return true
  })
}
