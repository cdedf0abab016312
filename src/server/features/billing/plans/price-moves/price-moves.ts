import { and, desc, eq, exists, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { isOnHold, notOnHold } from '#server/db/restore-hold.ts'
import { priceMove, priceMoveMember } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { periodDaysSql } from '#server/features/billing/subscriptions/period-days-sql.ts'
import type { PlanRow } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy } from '#server/features/identity/auth/security/editor.ts'
import { defineRunKind } from '#server/jobs/runs.ts'
import type { adminStartPriceMoveCall, ReasonToStay } from '#shared/contracts/billing/price-moves.ts'
import { type BillingInterval, paymentsPerYear, periodDays } from '#shared/domain/billing-interval.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'
import { AppError } from '#shared/errors.ts'
import { findPlanRow, withPlanLease } from '../change-plans.ts'
import { type Concerned, listConcerned, type Planned, planMove, type Target } from './concerned-members.ts'

/** @throws AppError validation_failed if the plan isn't at Stripe, or its members choose what they pay */
export function findTarget({ config }: Pick<BillingDeps, 'config'>, plan: PlanRow): Target {
  const ids = idsOfPlan(config, plan.key)
  if (!ids) {
    throw new AppError('validation_failed', { message: 'Stripe doesn’t have this plan. Save it first.' })
  }
  if (plan.floorCents) {
    throw new AppError('validation_failed', { message: 'Members of this plan chose what they pay. They keep it.' })
  }
  const { priceCents, currency, interval, intervalCount } = plan
  return { ...ids, priceCents, currency, interval, intervalCount }
}

type Moving = Concerned & { planned: Planned }

/** Previews a move: new prices, and why some members keep theirs. */
export function previewMove(concerned: readonly Concerned[], target: Target, noticeDays: number, now: Date) {
  const moving: Moving[] = []
  const stay = new Map<ReasonToStay, Concerned[]>()
  for (const member of concerned) {
    const planned = planMove(member.row, target, noticeDays, now)
    if (typeof planned === 'string') stay.set(planned, [...(stay.get(planned) ?? []), member])
    else moving.push({ ...member, planned })
  }
  const perMonth = (cents: (one: Planned) => number) => {
    const sum = moving.reduce((all, { planned }) => all + cents(planned), 0)
    return Math.round((sum * paymentsPerYear(target)) / 12)
  }
  const totals = {
    members: moving.length,
    beforeCents: perMonth(({ oldCents }) => oldCents),
    afterCents: perMonth(({ newCents }) => newCents),
  }
  return { moving, stay, totals }
}

export type PriceMoveRow = typeof priceMove.$inferSelect

/** Sends the emails, and gives members the price. Between renewals a move waits, and is no open run. */
export const priceMoveRun = defineRunKind({
  name: 'run-price-move',
  table: priceMove,
  openStatuses: ['announcing', 'moving', 'canceling'],
  mayRun: notOnHold,
})

/**
 * Members get the price this many days before the renewal that charges it: late enough that pages and figures show what is
 * paid, and early enough to outlast an outage. With periods of a week, in the middle of the last one.
 */
export const moveAheadDays = (every: BillingInterval): number => Math.min(7, periodDays(every) / 2)

const moveAheadSql = sql`least(7, ${periodDaysSql(priceMove)} / 2.0)`

const rowsPerInsert = 500

/**
 * Starts moving the plan's members to its price. A second click starts nothing.
 * @throws AppError not_found, edit_conflict, conflict if another move of the plan isn't finished, validation_failed
 */
export async function startPriceMove(
  deps: BillingDeps,
  who: Actor,
  { plan: key, version, noticeDays, totals, requestId: id }: z.output<typeof adminStartPriceMoveCall.input>,
): Promise<void> {
  const { db } = deps.database
  await withPlanLease(deps, () =>
    db.transaction(async (tx) => {
      const [started] = await tx.select({ id: priceMove.id }).from(priceMove).where(eq(priceMove.id, id))
      if (started) return
      const plan = await findPlanRow(tx, key)
      if (!plan) throw new AppError('not_found')
      if (plan.version !== version) throw new AppError('edit_conflict')
      const target = findTarget(deps, plan)
      const now = deps.clock()
      const preview = previewMove(await listConcerned(tx, target), target, noticeDays, now)
      if (preview.moving.length === 0) {
        throw new AppError('validation_failed', { message: 'No member of this plan can be moved to its price.' })
      }
      const { members, beforeCents, afterCents } = preview.totals
      const isSame =
        members === totals.members && beforeCents === totals.beforeCents && afterCents === totals.afterCents
      if (!isSame) {
        throw new AppError('edit_conflict', { message: 'The members or their prices have changed. Review them again.' })
      }
      const { priceId, priceCents, currency, interval, intervalCount } = target
      const [created] = await tx
        .insert(priceMove)
        .values({
          ...{ id, plan: key, priceId, priceCents, currency, interval, intervalCount, noticeDays },
          ...{ status: 'announcing', createdAt: now, updatedAt: now, ...createdBy(who) },
        })
        .onConflictDoNothing()
        .returning({ id: priceMove.id })
      if (!created) {
        throw new AppError('conflict', { message: 'Members of this plan are being moved. Cancel that first.' })
      }
      for (let from = 0; from < preview.moving.length; from += rowsPerInsert) {
        await tx.insert(priceMoveMember).values(
          preview.moving.slice(from, from + rowsPerInsert).map(({ userId, row, planned }) => ({
            ...{ moveId: id, userId, ...planned, subscriptionId: row.stripeSubscriptionId ?? '' },
            ...{ state: 'planned', changedAt: now },
          })),
        )
      }
      await recordAdminEvent(tx, who, {
        event: 'price_move_started',
        object: { kind: 'plan', id: key, name: plan.name },
        changes: [
          { field: 'price', before: null, after: formatPrice(listPrice(target)) },
          { field: 'members', before: null, after: String(members) },
          { field: 'noticeDays', before: null, after: String(noticeDays) },
        ],
        now,
      })
      await deps.enqueue(tx, priceMoveRun, { id })
    }),
  )
}

/** Members who haven't been moved keep their price. A second click changes nothing. @throws AppError not_found */
export async function cancelPriceMove(deps: BillingDeps, who: Actor, id: string): Promise<PriceMoveRow> {
  return deps.database.db.transaction(async (tx) => {
    const [move] = await tx.select().from(priceMove).where(eq(priceMove.id, id)).for('update')
    if (!move) throw new AppError('not_found')
    if (['canceling', 'canceled', 'finished'].includes(move.status)) return move
    const now = deps.clock()
    await tx.update(priceMove).set({ status: 'canceling', updatedAt: now }).where(eq(priceMove.id, id))
    const plan = await findPlanRow(tx, move.plan)
    await recordAdminEvent(tx, who, {
      event: 'price_move_canceled',
      object: { kind: 'plan', id: move.plan, name: plan?.name ?? move.plan },
      now,
    })
    await deps.enqueue(tx, priceMoveRun, { id })
    return move
  })
}

export async function findNewestMove(db: Db | Tx, plan: string): Promise<PriceMoveRow | null> {
  const [move] = await db
    .select()
    .from(priceMove)
    .where(eq(priceMove.plan, plan))
    .orderBy(desc(priceMove.createdAt), desc(priceMove.id))
    .limit(1)
  return move ?? null
}

/** Condition: the member's renewal at the new price is near. Test clocks count for their customers. */
export const isDue = (realNow: Date, aheadDays: SQL) =>
  and(
    eq(priceMoveMember.state, 'announced'),
    lte(
      sql`${priceMoveMember.effectiveAt} - make_interval(secs => ${aheadDays} * 86400)`,
      sql`coalesce((select s.test_clock_time from subscription_state s where s.user_id = ${priceMoveMember.userId}),
        ${realNow.toISOString()}::timestamptz)`,
    ),
  )

/** Continues moves that wait for renewals and have one near. */
export async function resumeDueMoves(deps: BillingDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  await db.transaction(async (tx) => {
    const due = tx
      .select({ one: sql`1` })
      .from(priceMoveMember)
      .where(and(eq(priceMoveMember.moveId, priceMove.id), isDue(deps.clock(), moveAheadSql)))
    const resumed = await tx
      .update(priceMove)
      .set({ status: 'moving', updatedAt: deps.clock() })
      .where(and(eq(priceMove.status, 'announced'), exists(due)))
      .returning({ id: priceMove.id })
    for (const { id } of resumed) await deps.enqueue(tx, priceMoveRun, { id })
  })
}
