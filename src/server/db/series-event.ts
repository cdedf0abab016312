import { sql } from 'drizzle-orm'
import type { SeriesEventKind } from '#shared/domain/series.ts'
import type { Tx } from './database.ts'

/**
 * Records what may make a member enter a series. Call it in the transaction that makes it true, so that no one is
 * forgotten. Does nothing while no series waits for it.
 */
export async function recordSeriesEvent(tx: Tx, kind: SeriesEventKind, userId: string, now: Date): Promise<void> {
  await tx.execute(sql`insert into series_event (kind, user_id, at)
    select ${kind}, ${userId}::uuid, ${now.toISOString()}::timestamptz
    where exists (select 1 from series where status <> 'off' and trigger ->> 'kind' = ${kind})`)
}
