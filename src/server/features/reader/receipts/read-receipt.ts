import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import {
  billingCustomer,
  revenueInvoice,
  storeMoney,
  teamAssignment,
  teamSeat,
  teamSeatLocation,
  tryDays,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { listLocations } from '#server/features/reader/business-profile/read-business-profile.ts'
import { readWage } from '#server/features/reader/tries/read-value.ts'
import { findPlan, mainCurrency } from '#shared/domain/plans.ts'
import type { ReceiptFacts } from '#shared/domain/store-receipt.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'

export type ReceiptDeps = Pick<Deps, 'config' | 'database' | 'clock'>

export type ReceiptSource = {
  facts: ReceiptFacts
  currency: string
  /** By the publication's calendar. */
  today: string
  firstMonth: string
}

/**
 * What an owner's receipts are made of. A member's answers count for the one store that their seat is tied to, else for the
 * business; so do those of the owner with a single store.
 */
export async function readReceiptSource(deps: ReceiptDeps, db: Db | Tx, ownerId: string): Promise<ReceiptSource> {
  const timeZone = await readTimeZone(db)
  const dayOf = (at: Date) => localTimeOf(at.toISOString(), timeZone).slice(0, 10)
  const today = dayOf(deps.clock())
  const [owner] = await db.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, ownerId))
  const stores = (await listLocations(db, ownerId)).map(({ id, name }) => ({ id, name }))
  const members = await db
    .select({ userId: teamSeat.userId, locationId: teamSeatLocation.locationId })
    .from(teamSeat)
    .leftJoin(teamSeatLocation, eq(teamSeatLocation.userId, teamSeat.userId))
    .where(eq(teamSeat.ownerId, ownerId))
  const storesOf = Map.groupBy(members, ({ userId }) => userId)
  const storeOf = (userId: string | null): string | null => {
    if (userId === ownerId) return stores.length === 1 ? (stores[0]?.id ?? null) : null
    const [only, ...others] = storesOf.get(userId ?? '') ?? []
    return others.length === 0 ? (only?.locationId ?? null) : null
  }
  const answers = await db
    .select()
    .from(tryDays)
    .where(and(inArray(tryDays.userId, [ownerId, ...storesOf.keys()]), lte(tryDays.day, today)))
  const tasks = await db
    .select()
    .from(teamAssignment)
    .where(and(eq(teamAssignment.ownerId, ownerId), eq(teamAssignment.removed, false), isNotNull(teamAssignment.dueOn)))
  const currency = mainCurrency(deps.config.settings.publication)
  return {
    facts: {
      stores,
      tried: [...Map.groupBy(answers, ({ userId, kind, itemId }) => `${userId} ${kind} ${itemId}`).values()].map(
        (days) => ({ storeId: storeOf(days[0]?.userId ?? null), answers: days }),
      ),
      money: (await db.select().from(storeMoney).where(eq(storeMoney.ownerId, ownerId))).map(
        ({ locationId, ...entry }) => ({ ...entry, storeId: locationId }),
      ),
      tasks: tasks.map(({ assignedTo, assigneeId, locationId, dueOn, done, checkedAt }) => ({
        storeId: assignedTo === 'location' ? locationId : storeOf(assigneeId),
        dueOn: dueOn ?? '',
        doneOn: done && checkedAt ? dayOf(checkedAt) : null,
      })),
      payments: await readPayments(deps, db, { ownerId, currency, dayOf }),
      wageCents: (await readWage(deps, db, ownerId))?.cents ?? null,
    },
    currency,
    today,
    firstMonth: dayOf(owner?.createdAt ?? deps.clock()).slice(0, 7),
  }
}

/** Paid invoices less refunds, in the currency of the plans. */
async function readPayments(
  { config }: ReceiptDeps,
  db: Db | Tx,
  { ownerId, currency, dayOf }: { ownerId: string; currency: string; dayOf: (at: Date) => string },
): Promise<ReceiptFacts['payments']> {
  const rows = await db
    .select({
      plan: revenueInvoice.plan,
      paidAt: revenueInvoice.paidAt,
      cents: sql<number>`${revenueInvoice.paidCents} - ${revenueInvoice.refundedCents}`.mapWith(Number),
    })
    .from(revenueInvoice)
    .innerJoin(billingCustomer, eq(billingCustomer.stripeCustomerId, revenueInvoice.customerId))
    .where(
      and(eq(billingCustomer.userId, ownerId), isNotNull(revenueInvoice.paidAt), eq(revenueInvoice.currency, currency)),
    )
  return rows.flatMap(({ plan, paidAt, cents }) => {
    const months = findPlan(config.settings.publication, plan)?.interval === 'year' ? 12 : 1
    return paidAt && cents > 0 ? { day: dayOf(paidAt), months, cents } : []
  })
}
