import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { FullMailing } from '../sending/mailing-row.ts'

/** Up to this many waiting deliveries are counted on every request, which takes a few milliseconds. */
const maxCountedLive = 5_000
const countsTtlMs = 20_000

type Hour = { at: Date; count: number }
export type ReadWaitingForHour = (mailing: FullMailing, pending: number) => Promise<Mailing['waitingForHour']>

/** Says how many emails of a mailing wait for their reader's hour. Those of large mailings are counted every 20 seconds. */
export function createReadWaitingForHour({ database, clock }: Pick<Deps, 'database' | 'clock'>): ReadWaitingForHour {
  const counted = new LRUCache<string, Hour[]>({ max: 20, ttl: countsTtlMs })

  async function countByHour(id: string): Promise<Hour[]> {
    const rows = await queryRows<{ at: Date | string; count: number }>(
      database.db,
      sql`select send_at as at, count(*)::int as count from deliveries
        where mailing_id = ${id}::uuid and status = 'pending' and send_at is not null and send_at > ${clock().toISOString()}::timestamptz
        group by send_at order by send_at`,
    )
    return rows.map(({ at, count }) => ({ at: new Date(at), count }))
  }

  return async ({ id, status, readerHours, preparedAt }, pending) => {
    const isWaiting = readerHours && preparedAt !== null && (status === 'sending' || status === 'paused')
    if (!isWaiting || pending === 0) return null
    const known = pending > maxCountedLive ? counted.get(id) : undefined
    const hours = known ?? (await countByHour(id))
    if (!known) counted.set(id, hours)
    const now = clock()
    const ahead = hours.filter(({ at }) => at > now)
    const [next, last] = [ahead[0], ahead.at(-1)]
    if (!next || !last) return null
    return {
      count: ahead.reduce((sum, { count }) => sum + count, 0),
      nextAt: next.at.toISOString(),
      lastAt: last.at.toISOString(),
    }
  }
}
