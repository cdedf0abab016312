import { desc, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { gift, purchase, users, withdrawal } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { WithdrawalsPage } from '#shared/contracts/billing/admin-money.ts'

const pageSize = 50
const positionSchema = z.tuple([z.string().regex(/^\d{1,20}$/), z.uuid()])

/** Confirmed withdrawals, newest first. Gifts and one-time purchases know what was refunded of them. */
export async function listWithdrawals(
  db: Db,
  { cursor, limit = pageSize }: { cursor?: string | null; limit?: number },
): Promise<WithdrawalsPage> {
  const after = cursor ? decodeCursor(cursor, positionSchema) : null
  const { confirmedAt, id } = withdrawal
  const found = await db
    .select({
      row: withdrawal,
      micros: sql<string>`(extract(epoch from ${confirmedAt}) * 1000000)::bigint::text`,
      guest: sql<string | null>`coalesce(${gift.state}, ${purchase.state})`,
      guestRefundedCents: sql<number>`coalesce(${gift.refundedCents}, ${purchase.refundedCents}, 0)`.mapWith(Number),
      memberId: users.id,
    })
    .from(withdrawal)
    .leftJoin(gift, eq(withdrawal.contract, sql`'gift:' || ${gift.id}`))
    .leftJoin(purchase, eq(withdrawal.contract, sql`'once:' || ${purchase.id}`))
    .leftJoin(users, eq(users.email, withdrawal.email))
    .where(
      after
        ? sql`(${confirmedAt}, ${id}) < ('epoch'::timestamptz + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::uuid)`
        : isNotNull(confirmedAt),
    )
    .orderBy(desc(confirmedAt), desc(id))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.micros, last.row.id])
  return { items: page.map(toItem), nextCursor }
}

type Found = {
  row: typeof withdrawal.$inferSelect
  guest: string | null
  guestRefundedCents: number
  memberId: string | null
}

function toItem({ row, guest, guestRefundedCents, memberId }: Found): WithdrawalsPage['items'][number] {
  const refundCents = row.refundCents ?? 0
  const isPlan = row.contract?.startsWith('plan:')
  const isSettled = isPlan ? row.settledAt !== null : guest === 'refunded'
  const refunded = isPlan ? (row.refundedCents ?? refundCents) : guestRefundedCents
  const refundedCents = isSettled ? Math.min(refundCents, refunded) : 0
  const open = guest === 'disputed' ? 'disputed' : 'waiting'
  return {
    ...{ id: row.id, name: row.name, email: row.email, purchase: row.contractName ?? '', memberId },
    ...{ refundCents, refundedCents, currency: row.currency ?? 'usd', creditCents: row.creditCents ?? 0 },
    withdrawnAt: (row.confirmedAt ?? row.declaredAt).toISOString(),
    state: !isSettled ? open : refundedCents < refundCents ? 'lost' : 'refunded',
  }
}
