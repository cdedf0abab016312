import { aliasedTable, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import { priceMoveMember, users } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import {
  moveStates,
  type PriceMove,
  type PriceMovePreview,
  type ReasonToStay,
} from '#shared/contracts/billing/price-moves.ts'
import { listPrice } from '#shared/domain/subscription-price.ts'
import { AppError } from '#shared/errors.ts'
import { findPlanRow } from '../change-plans.ts'
import { listConcerned } from './concerned-members.ts'
import { findNewestMove, findTarget, type PriceMoveRow, previewMove } from './price-moves.ts'

/** Members of a list in an answer. The totals count all. */
const maxListed = 500
const maxExamples = 20

/**
 * The newest move of a plan's members, and what another one would change.
 * @throws AppError not_found, validation_failed if the plan isn't at Stripe
 */
export async function readPriceMove(
  deps: BillingDeps,
  { plan: key, noticeDays }: { plan: string; noticeDays: number },
): Promise<PriceMovePreview> {
  const { db } = deps.database
  const plan = await findPlanRow(db, key)
  if (!plan) throw new AppError('not_found')
  const target = findTarget(deps, plan)
  const [newest, concerned] = await Promise.all([findNewestMove(db, key), listConcerned(db, target)])
  const { moving, stay, totals } = previewMove(concerned, target, noticeDays, deps.clock())
  return {
    price: listPrice(target),
    version: plan.version,
    move: newest && (await describeMove(db, newest)),
    totals,
    members: moving.slice(0, maxListed).map(({ userId, email, name, planned }) => ({
      ...{ userId, email, name, oldCents: planned.oldCents, newCents: planned.newCents },
      at: planned.effectiveAt.toISOString(),
    })),
    stay: [...stay].map(([reason, members]) => ({
      reason,
      members: members.length,
      examples: members.slice(0, maxExamples).map(({ email }) => email),
    })),
  }
}

const u = aliasedTable(users, 'u')

async function describeMove(db: Db, move: PriceMoveRow): Promise<PriceMove> {
  const { state } = priceMoveMember
  const ofMove = eq(priceMoveMember.moveId, move.id)
  const [counts, rows] = await Promise.all([
    db
      .select({ state, count: sql<number>`count(*)`.mapWith(Number) })
      .from(priceMoveMember)
      .where(ofMove)
      .groupBy(state),
    db
      .select({ email: u.email, name: memberNameSql as SQL<string | null>, row: priceMoveMember })
      .from(priceMoveMember)
      .innerJoin(u, eq(u.id, priceMoveMember.userId))
      .where(ofMove)
      .orderBy(
        sql`case ${state} when 'left' then 0 when 'moved' then 2 else 1 end`,
        asc(priceMoveMember.effectiveAt),
        asc(u.email),
      )
      .limit(maxListed),
  ])
  const { id, status, noticeDays, createdAt } = move
  return {
    id,
    status: status as PriceMove['status'],
    price: listPrice(move),
    noticeDays,
    createdAt: createdAt.toISOString(),
    createdBy: move.createdBy,
    counts: Object.fromEntries(
      moveStates.map((name) => [name, counts.find((each) => each.state === name)?.count ?? 0]),
    ) as PriceMove['counts'],
    members: rows.map(({ email, name, row }) => ({
      ...{ userId: row.userId, email: email ?? '', name, oldCents: row.oldCents, newCents: row.newCents },
      at: row.effectiveAt.toISOString(),
      state: row.state as PriceMove['members'][number]['state'],
      reason: row.reason as ReasonToStay | null,
    })),
  }
}
