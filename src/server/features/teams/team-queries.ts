import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { teamSeat, users } from '#server/db/schema/index.ts'
import { productsOf } from '#server/features/billing/plan-ids.ts'
import { findSubscriptionRow } from '#server/features/billing/subscription-row.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { plans } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { TeamDeps } from './team-deps.ts'

/** The owner included. */
export const maxSeats = plans.team_monthly.seats

/** Seats that have a row; the owner's is the first and has none. */
const numbers = Array.from({ length: maxSeats - 1 }, (_, index) => index + 2)

/**
 * Everything that changes a team first locks its owner, and whoever else may be an owner or become one; always in the
 * same order, so that two of them never wait for each other.
 * @returns addresses by user
 * @throws AppError conflict when one of them has just been deleted
 */
export async function lockUsers(tx: Tx, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...userIds]))
    .orderBy(asc(users.id))
    .for('no key update')
  if (rows.length < new Set(userIds).size) throw new AppError('conflict')
  return new Map(rows.map(({ id, email }) => [id, email ?? '']))
}

/** Whether a plan with seats runs for this owner now. */
export async function hasActiveTeamPlan({ config, clock }: TeamDeps, db: Db | Tx, ownerId: string): Promise<boolean> {
  return entitlement(await findSubscriptionRow(db, ownerId), clock(), productsOf(config).team).entitled
}

/** The seat that somebody has in a team, with the owner's address. */
export async function findSeat(db: Db | Tx, userId: string) {
  const [seat] = await db
    .select({ ownerId: teamSeat.ownerId, seat: teamSeat.seat, joinedAt: teamSeat.joinedAt, ownerEmail: users.email })
    .from(teamSeat)
    .innerJoin(users, eq(users.id, teamSeat.ownerId))
    .where(eq(teamSeat.userId, userId))
  return seat ? { ...seat, ownerEmail: seat.ownerEmail ?? '' } : null
}

/** Who sits in the owner's team, in the order in which they came. */
export async function listMembers(db: Db | Tx, ownerId: string) {
  const rows = await db
    .select({ userId: teamSeat.userId, email: users.email, joinedAt: teamSeat.joinedAt })
    .from(teamSeat)
    .innerJoin(users, eq(users.id, teamSeat.userId))
    .where(eq(teamSeat.ownerId, ownerId))
    .orderBy(asc(teamSeat.joinedAt), asc(teamSeat.seat))
  return rows.map((row) => ({ ...row, email: row.email ?? '' }))
}

/**
 * Takes the first free seat. The primary key decides who gets it: of two who try at once the later waits for the
 * earlier, then tries the next number.
 * @returns false when none is free
 */
export async function takeSeat(tx: Tx, seat: { ownerId: string; userId: string; joinedAt: Date }): Promise<boolean> {
  for (const number of numbers) {
    const taken = await tx
      .insert(teamSeat)
      .values({ ...seat, seat: number })
      .onConflictDoNothing()
      .returning({ seat: teamSeat.seat })
    if (taken.length > 0) return true
  }
  return false
}

/** Whether somebody has given seats to others, however their plan stands. */
export async function hasMembers(db: Db | Tx, ownerId: string): Promise<boolean> {
  const found = await db.select({ one: sql`1` }).from(teamSeat).where(eq(teamSeat.ownerId, ownerId)).limit(1)
  return found.length > 0
}
