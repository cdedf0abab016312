import { inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { stripeEvent } from '#server/db/schema/index.ts'
import { nameFailure } from '../stripe/stripe-errors.ts'

type Processed = {
  at: Date
  /** The customer, if the event itself doesn't name it, so that its history shows events such as disputes. */
  customerId?: string | null
  /** Why there was nothing to do. Default: none. */
  note?: string | null
}

/** Marks events as processed: they aren't processed again. */
export async function markEventsProcessed(
  db: Db | Tx,
  ids: readonly string[],
  { at, customerId, note = null }: Processed,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(stripeEvent)
    .set({ processedAt: at, lastError: note, ...(customerId !== undefined && { customerId }) })
    .where(inArray(stripeEvent.id, [...ids]))
}

/** Records that processing failed. The events stay unprocessed, so that Stripe's retry or the reconciliation processes them. */
export async function recordEventFailure(db: Db, ids: readonly string[], error: unknown): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(stripeEvent)
    .set({ attempts: sql`${stripeEvent.attempts} + 1`, lastError: nameFailure(error) })
    .where(inArray(stripeEvent.id, [...ids]))
}
