import type { Database } from '#server/db/database.ts'
import { isUndefinedTable } from '#server/db/sql-state.ts'

/** A server that works on the queues notes it at least every minute. */
const maxAgeSeconds = 5 * 60

/** Says whether a server looks after the job queues; `missing` before one ever did. */
export async function readQueueState({ read }: Pick<Database, 'read'>): Promise<'ok' | 'stalled' | 'missing'> {
  try {
    const [row] = await read<{ age: string | number | null }>(
      'queue-age',
      'select extract(epoch from now() - cron_on)::float8 as age from pgboss.version',
      [],
    )
    // Null for the first moments of a new queue.
    return Number(row?.age ?? 0) > maxAgeSeconds ? 'stalled' : 'ok'
  } catch (error) {
    if (isUndefinedTable(error)) return 'missing'
    throw error
  }
}
