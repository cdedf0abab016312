import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { storeMoney } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { findFreeMonth } from '#server/features/billing/referrals/free-month.ts'
import { lockUsers } from '#server/features/billing/teams/team-queries.ts'
import { listLocations } from '#server/features/reader/business-profile/read-business-profile.ts'
import type { StoreReceipt, saveStoreMoneyCall } from '#shared/contracts/reader/receipts.ts'
import { receiptOf } from '#shared/domain/store-receipt.ts'
import { AppError } from '#shared/errors.ts'
import { type ReceiptDeps, readReceiptSource } from './read-receipt.ts'

export async function readReceipt(
  deps: ReceiptDeps,
  db: Db | Tx,
  ownerId: string,
  month: string,
): Promise<StoreReceipt> {
  const { facts, currency, today, firstMonth } = await readReceiptSource(deps, db, ownerId)
  return {
    ...{ month, firstMonth, thisMonth: today.slice(0, 7), currency, wageCents: facts.wageCents },
    ...receiptOf(facts, month, today),
    freeMonth: await findFreeMonth(deps, db, ownerId),
  }
}

/** @throws AppError location_not_found */
export async function saveStoreMoney(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  ownerId: string,
  { storeId, month, source, cents, note }: z.output<typeof saveStoreMoneyCall.input>,
): Promise<{ saved: true }> {
  await database.db.transaction(async (tx) => {
    await lockUsers(tx, [ownerId])
    if (!(await listLocations(tx, ownerId)).some(({ id }) => id === storeId)) throw new AppError('location_not_found')
    const { ownerId: owner, locationId, month: of, source: kind } = storeMoney
    const isIt = and(eq(owner, ownerId), eq(locationId, storeId), eq(of, month), eq(kind, source))
    await tx.delete(storeMoney).where(isIt)
    if (cents === 0) return
    const row = { id: crypto.randomUUID(), ownerId, locationId: storeId, month, source, cents, note, at: clock() }
    await tx.insert(storeMoney).values(row)
  })
  return { saved: true }
}
