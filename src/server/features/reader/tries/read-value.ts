import { and, eq, gte, isNotNull, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { billingCustomer, contentItems, readerWage, revenueInvoice, tryDays, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ReaderValue, saveWageCall } from '#shared/contracts/reader/tries.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { endOfCounting, valueOfTry } from '#shared/domain/value-of-tries.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

type ValueDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/** Reads what a reader's tries were worth in a year, and what was paid for it, by the publication's calendar. */
export async function readValue(deps: ValueDeps, who: Principal, { year }: { year: number }): Promise<ReaderValue> {
  const { db } = deps.database
  const now = deps.clock()
  const timeZone = await readTimeZone(db)
  const dayOf = (at: Date) => localTimeOf(at.toISOString(), timeZone).slice(0, 10)
  const today = dayOf(now)
  const [user] = await db.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, who.userId))
  const until = endOfCounting(year, today)
  const items = await readItems(db, who.userId, year, until)
  return {
    year,
    firstYear: Number(dayOf(user?.createdAt ?? now).slice(0, 4)),
    thisYear: Number(today.slice(0, 4)),
    until,
    items,
    minutes: items.reduce((sum, { minutes }) => sum + minutes, 0),
    wage: await readWage(deps, db, who.userId),
    paid: await readPaid(db, who.userId, year, timeZone),
    paidBy: payerOf(deps, who, now),
  }
}

async function readItems(db: Db, userId: string, year: number, until: string): Promise<ReaderValue['items']> {
  const rows = await db
    .select({
      kind: tryDays.kind,
      id: tryDays.itemId,
      day: tryDays.day,
      outcome: tryDays.outcome,
      minutesPerWeek: tryDays.minutesPerWeek,
      title: contentItems.title,
      path: contentItems.path,
      removedAt: contentItems.removedAt,
    })
    .from(tryDays)
    .innerJoin(contentItems, and(eq(contentItems.kind, tryDays.kind), eq(contentItems.id, tryDays.itemId)))
    .where(and(eq(tryDays.userId, userId), lt(tryDays.day, `${year + 1}-01-01`)))
  const byItem = Map.groupBy(rows, ({ kind, id }) => `${kind}:${id}`)
  return [...byItem.values()]
    .flatMap((answers) => {
      const [item] = answers
      const value = valueOfTry(answers, year, until)
      if (!item || !value) return []
      const { kind, id, title, path, removedAt } = item
      return { kind, id, title, path: removedAt ? null : path, ...value }
    })
    .toSorted((a, b) => b.minutes - a.minutes || (a.title < b.title ? -1 : 1))
}

async function readPaid(db: Db, userId: string, year: number, timeZone: string): Promise<ReaderValue['paid']> {
  const paidAt = revenueInvoice.paidAt
  const rows = await db
    .select({
      currency: revenueInvoice.currency,
      cents: sql<string>`sum(${revenueInvoice.paidCents} - ${revenueInvoice.refundedCents})`,
      invoices: sql<number>`count(*)::int`,
    })
    .from(revenueInvoice)
    .innerJoin(billingCustomer, eq(billingCustomer.stripeCustomerId, revenueInvoice.customerId))
    .where(
      and(
        eq(billingCustomer.userId, userId),
        isNotNull(paidAt),
        gte(paidAt, new Date(instantOf(`${year}-01-01T00:00`, timeZone))),
        lt(paidAt, new Date(instantOf(`${year + 1}-01-01T00:00`, timeZone))),
        sql`${revenueInvoice.paidCents} > 0`,
      ),
    )
    .groupBy(revenueInvoice.currency)
    .orderBy(revenueInvoice.currency)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

function payerOf({ config }: ValueDeps, who: Principal, now: Date): ReaderValue['paidBy'] {
  const paid = { subscription: who.subscription, team: who.team, complimentaryUntil: null }
  if (hasAccess(config, { ...paid, team: null }, now)) return 'reader'
  return hasAccess(config, paid, now) ? 'team-owner' : 'no-one'
}

/** Readers enter it in the currency of the plans. */
export async function readWage(
  { config }: Pick<Deps, 'config'>,
  db: Db | Tx,
  userId: string,
): Promise<ReaderValue['wage']> {
  const [row] = await db.select().from(readerWage).where(eq(readerWage.userId, userId))
  const cents = row?.cents ?? null
  return cents === null ? null : { cents, currency: mainCurrency(config.settings.publication) }
}

/** Saves or removes the hourly wage. Idempotent: the newest `at` wins. */
export async function saveWage(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId }: Principal,
  { cents, at: given }: z.output<typeof saveWageCall.input>,
): Promise<z.input<typeof saveWageCall.output>> {
  const at = changeInstant(given, deps.clock())
  return deps.database.db.transaction(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
    if (!user) return { wage: null }
    const set = { cents, at }
    await tx
      .insert(readerWage)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: readerWage.userId, set, setWhere: lt(readerWage.at, at) })
    return { wage: await readWage(deps, tx, userId) }
  })
}
