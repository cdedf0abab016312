import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { billingCustomer, revenueInvoice, teamInvitation, teamSeat, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { planOfProduct, productsOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { storedPrice } from '#server/features/billing/subscriptions/sync/stored-price.ts'
import {
  findSubscriptionRow,
  type SubscriptionRow,
} from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import type { Principal } from '#server/http/principal.ts'
import type { Membership, OwnedTeam } from '#shared/contracts/billing/teams.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { findPlan, unlimitedSeats } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'

/** Server dependencies of the teams feature. */
export type TeamDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue' | 'stripe'>

/**
 * Seats of a team priced per seat, for any number of people, or paid by invoice, until its first payment, if the plan
 * doesn't begin with more.
 */
const maxUnpaidSeats = 5

/** Seats of the owner's plan, including the owner; 1 without a plan for teams. Until the first payment, few seats count. */
export async function seatsOf({ config }: Pick<TeamDeps, 'config'>, db: Db | Tx, ownerId: string): Promise<number> {
  const row = await findSubscriptionRow(db, ownerId)
  const plan = findPlan(config.settings.publication, planOfProduct(config, row?.productId ?? null))
  if (!row || !plan) return 1
  const isUnlimited = plan.seats === unlimitedSeats
  const isUnpaid = row.invoiceDueAt !== null
  if (!plan.perSeat && !isUnlimited && !isUnpaid) return plan.seats
  const seats = plan.perSeat ? usableSeats(row) : plan.seats
  const few = plan.perSeat ? Math.max(plan.seats, maxUnpaidSeats) : maxUnpaidSeats
  return seats <= few || (await hasPaid(db, ownerId)) ? seats : few
}

/** Returns true once the owner has paid for a plan: a trial and a plan that costs nothing haven't. */
export async function hasPaid(db: Db | Tx, ownerId: string): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(revenueInvoice)
    .innerJoin(billingCustomer, eq(billingCustomer.stripeCustomerId, revenueInvoice.customerId))
    .where(and(eq(billingCustomer.userId, ownerId), gt(revenueInvoice.paidCents, 0)))
    .limit(1)
  return found.length > 0
}

/** Paid seats. Those that end at the renewal are empty, and stay so. */
export const usableSeats = ({
  quantity,
  seatsAfterRenewal,
}: Pick<SubscriptionRow, 'quantity' | 'seatsAfterRenewal'>): number => Math.min(quantity, seatsAfterRenewal ?? quantity)

/**
 * Locks the owner and other affected users before a team changes, in id order to prevent deadlocks.
 * @returns email addresses by user id
 * @throws AppError conflict if one of the users was just deleted
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

/** Returns true if the owner has an active Team plan. */
export async function hasActiveTeamPlan(
  { config, clock }: Pick<TeamDeps, 'config' | 'clock'>,
  db: Db | Tx,
  ownerId: string,
): Promise<boolean> {
  return entitlement(await findSubscriptionRow(db, ownerId), clock(), productsOf(config).team).entitled
}

/** The user's seat in a team, with the owner's email. */
export async function findSeat(db: Db | Tx, userId: string) {
  const [seat] = await db
    .select({ ownerId: teamSeat.ownerId, seat: teamSeat.seat, joinedAt: teamSeat.joinedAt, ownerEmail: users.email })
    .from(teamSeat)
    .innerJoin(users, eq(users.id, teamSeat.ownerId))
    .where(eq(teamSeat.userId, userId))
  return seat ? { ...seat, ownerEmail: seat.ownerEmail ?? '' } : null
}

/** Members of the owner's team in the order they joined, without the owner. */
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
 * Takes the first free seat. Call it under the lock of `lockUsers`: of two calls without it, the primary key lets one fail.
 * @returns false if none is free
 */
export async function takeSeat(
  deps: Pick<TeamDeps, 'config'>,
  tx: Tx,
  seat: { ownerId: string; userId: string; joinedAt: Date },
): Promise<boolean> {
  const seats = await seatsOf(deps, tx, seat.ownerId)
  const isOwners = eq(teamSeat.ownerId, seat.ownerId)
  // A team can be larger than its plan, with free numbers among its seats.
  if ((await tx.$count(teamSeat, isOwners)) + 1 >= seats) return false
  // The owner has seat 1, without a row.
  const firstFree = sql<number>`(select min(free.seat) from (
    select 2 as seat union all select seat + 1 from team_seat where owner_id = ${seat.ownerId}
    except all select seat from team_seat where owner_id = ${seat.ownerId}) free)`
  const inserted = await tx
    .insert(teamSeat)
    .values({ ...seat, seat: firstFree })
    .onConflictDoNothing()
    .returning({ seat: teamSeat.seat })
  return inserted.length > 0
}

/** Returns true if the owner's team has members, with or without an active plan. */
export async function hasMembers(db: Db | Tx, ownerId: string): Promise<boolean> {
  const found = await db.select({ one: sql`1` }).from(teamSeat).where(eq(teamSeat.ownerId, ownerId)).limit(1)
  return found.length > 0
}

type TeamViewer = Pick<Principal, 'userId' | 'subscription' | 'team'>

/** The team that the caller owns and the one they are a member of; null if there is none. */
export async function readTeam(deps: TeamDeps, who: TeamViewer) {
  const [owned, membership] = await Promise.all([readOwned(deps, who), readMembership(deps, who)])
  return { owned, membership }
}

/** Null without an active Team plan, unless the team still has members. */
async function readOwned(deps: TeamDeps, who: TeamViewer): Promise<Omit<OwnedTeam, 'domains' | 'requests'> | null> {
  const { db } = deps.database
  const active = entitlement(who.subscription, deps.clock(), productsOf(deps.config).team).entitled
  const members = await listMembers(db, who.userId)
  if (!active && members.length === 0) return null
  const row = await findSubscriptionRow(db, who.userId)
  const invitations = await db
    .select({
      id: teamInvitation.id,
      email: teamInvitation.email,
      sentAt: teamInvitation.sentAt,
      expiresAt: teamInvitation.expiresAt,
    })
    .from(teamInvitation)
    .where(and(eq(teamInvitation.ownerId, who.userId), isNull(teamInvitation.acceptedAt)))
    .orderBy(desc(teamInvitation.sentAt))
  return {
    active,
    seats: {
      // A lapsed team keeps its members, also after a switch to a plan with fewer seats.
      total: Math.max(await seatsOf(deps, db, who.userId), members.length + 1),
      taken: members.length + 1,
    },
    perSeat: active ? perSeatOf(deps, row) : null,
    members: members.map((member) => ({ ...member, joinedAt: member.joinedAt.toISOString() })),
    invitations: invitations.map(({ sentAt, expiresAt, ...invitation }) => ({
      ...invitation,
      sentAt: sentAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      expired: expiresAt <= deps.clock(),
    })),
  }
}

function perSeatOf({ config }: TeamDeps, row: SubscriptionRow | null): OwnedTeam['perSeat'] {
  const plan = findPlan(config.settings.publication, planOfProduct(config, row?.productId ?? null))
  if (!row || !plan?.perSeat) return null
  const { quantity, cancelAt, currentPeriodEnd, seatsAfterRenewal, seatsPaid, seatsChangeAt } = row
  const price = storedPrice(config, row)
  return {
    min: plan.seats,
    price: price && { ...price, amountCents: price.amountCents / quantity, seats: 1 },
    renewsAt: (!cancelAt && currentPeriodEnd?.toISOString()) || null,
    ending:
      seatsAfterRenewal !== null && seatsPaid !== null && seatsChangeAt
        ? { count: seatsPaid - seatsAfterRenewal, at: seatsChangeAt.toISOString() }
        : null,
  }
}

/** Returns true if the plan of the team that the caller is a member of is active. */
export const hasTeamAccess = ({ config, clock }: Pick<TeamDeps, 'config' | 'clock'>, who: TeamViewer): boolean =>
  entitlement(who.team, clock(), productsOf(config).team).entitled

async function readMembership(deps: TeamDeps, who: TeamViewer): Promise<Membership | null> {
  const seat = await findSeat(deps.database.db, who.userId)
  if (!seat) return null
  const products = productsOf(deps.config)
  const shared = entitlement(who.team, deps.clock(), products.team)
  return {
    ownerEmail: seat.ownerEmail,
    active: shared.entitled,
    until: (shared.entitled && shared.shownEnd?.toISOString()) || null,
    joinedAt: seat.joinedAt.toISOString(),
    ownPlan: entitlement(who.subscription, deps.clock(), products.known).entitled,
  }
}
