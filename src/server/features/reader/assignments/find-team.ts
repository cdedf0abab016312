import { and, eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { businessLocation, teamSeatLocation, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { productsOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { findSeat, hasTeamAccess, listMembers } from '#server/features/billing/teams/team-queries.ts'
import type { Principal } from '#server/http/principal.ts'
import type { TeamReader } from '#shared/domain/assignments.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { AppError } from '#shared/errors.ts'

export type AssignmentDeps = Pick<Deps, 'config' | 'clock' | 'database'>

/** A team with an active plan, as one of its people sees it. */
export type Team = {
  ownerId: string
  /** The owner first. */
  people: { userId: string; email: string; locationIds: string[] }[]
  reader: TeamReader
}

/** Returns true if the caller owns or is a member of a team with an active plan. */
export const isOnTeam = (deps: Pick<Deps, 'config' | 'clock'>, who: Principal): boolean =>
  ownsTeam(deps, who) || hasTeamAccess(deps, who)

const ownsTeam = ({ config, clock }: Pick<Deps, 'config' | 'clock'>, who: Principal): boolean =>
  entitlement(who.subscription, clock(), productsOf(config).team).entitled

/** The caller's own team, or the one they have a seat in; null without an active one. */
export async function findTeam(deps: AssignmentDeps, db: Db | Tx, who: Principal): Promise<Team | null> {
  const ownerId = await findOwnerId(deps, db, who)
  if (!ownerId) return null
  const [owner] = await db.select({ email: users.email }).from(users).where(eq(users.id, ownerId))
  const members = await listMembers(db, ownerId)
  const ids = members.map(({ userId }) => userId)
  const ties = ids.length === 0 ? [] : await listTies(db, ownerId, ids)
  const locationsOf = (userId: string) => ties.filter((tie) => tie.userId === userId).map((tie) => tie.locationId)
  const people = [
    { userId: ownerId, email: owner?.email ?? '', locationIds: [] },
    ...members.map(({ userId, email }) => ({ userId, email, locationIds: locationsOf(userId) })),
  ]
  const reader = { userId: who.userId, isOwner: ownerId === who.userId, locationIds: locationsOf(who.userId) }
  return { ownerId, people, reader }
}

/** @throws AppError no_team */
export async function requireTeam(deps: AssignmentDeps, db: Db | Tx, who: Principal): Promise<Team> {
  const team = await findTeam(deps, db, who)
  if (!team) throw new AppError('no_team')
  return team
}

async function findOwnerId(deps: AssignmentDeps, db: Db | Tx, who: Principal): Promise<string | null> {
  if (ownsTeam(deps, who)) return who.userId
  return hasTeamAccess(deps, who) ? ((await findSeat(db, who.userId))?.ownerId ?? null) : null
}

/** Ties to locations that the owner still has. */
const listTies = (db: Db | Tx, ownerId: string, userIds: readonly string[]) =>
  db
    .select({ userId: teamSeatLocation.userId, locationId: teamSeatLocation.locationId })
    .from(teamSeatLocation)
    .innerJoin(
      businessLocation,
      and(eq(businessLocation.id, teamSeatLocation.locationId), eq(businessLocation.userId, ownerId)),
    )
    .where(inArray(teamSeatLocation.userId, [...userIds]))
