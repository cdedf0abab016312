import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import {
  billingCustomer,
  revenueInvoice,
  storeMoney,
  subscriptionState,
  teamAssignment,
  teamSeat,
  teamSeatLocation,
  tryDays,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { findFreeMonth, offerFreeMonth } from '#server/features/billing/referrals/free-month.ts'
import type { renewalNoticeJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { lockUsers } from '#server/features/billing/teams/team-queries.ts'
import { listLocations } from '#server/features/reader/business-profile/read-business-profile.ts'
import { readWage } from '#server/features/reader/tries/read-value.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { renewingSoonEmail } from '#server/mail/texts/billing-emails.ts'
import type { StoreReceipt, saveStoreMoneyCall } from '#shared/contracts/reader/receipts.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { findPlan, mainCurrency } from '#shared/domain/plans.ts'
import { type ReceiptFacts, receiptOf, yearCents } from '#shared/domain/store-receipt.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'

type ReceiptDeps = Pick<Deps, 'config' | 'database' | 'clock'>

type ReceiptSource = {
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
async function readReceiptSource(deps: ReceiptDeps, db: Db | Tx, ownerId: string): Promise<ReceiptSource> {
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
    const { interval = 'month', intervalCount } = findPlan(config.settings.publication, plan) ?? {}
    return paidAt && cents > 0 ? { day: dayOf(paidAt), interval, intervalCount, cents } : []
  })
}

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

/**
 * The renewal email with the year's receipt, if there is something on it. Where it is below the price, the email says so
 * and offers a free month, if the publisher turned that on.
 */
export async function sendRenewalNotice(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>,
  { userId, priceCents, currency, renewsAt, ...plan }: z.output<typeof renewalNoticeJob.payload>,
): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const [row] = await tx.select().from(subscriptionState).where(eq(subscriptionState.userId, userId))
  if (!user?.email || row?.status !== 'active' || row.cancelAt) return
  const source = await readReceiptSource(deps, tx, userId)
  const cents = yearCents(source.facts, source.today.slice(0, 7), source.today)
  // Someone who entered nothing has no receipt that could fall short.
  const hasReceipt = source.facts.wageCents !== null || source.facts.money.length > 0
  const isComparable = hasReceipt && priceCents !== null && source.currency === currency
  const isBelow = isComparable && cents < priceCents
  const offer = isBelow ? await offerFreeMonth(deps, tx, { userId, renewsAt: new Date(renewsAt) }) : false
  const receipt = isComparable
    ? { worth: formatMoney(cents, currency), price: formatMoney(priceCents, currency), isBelow, offer }
    : null
  const email = renewingSoonEmail({
    ...plan,
    to: user.email,
    renewsAt: new Date(renewsAt),
    receipt,
    config: deps.config,
  })
  await deps.enqueue(tx, emailJob, email)
}
