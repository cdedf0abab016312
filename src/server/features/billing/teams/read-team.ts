import { and, desc, eq, isNull } from 'drizzle-orm'
import { teamInvitation } from '#server/db/schema/index.ts'
import { planOfProduct, productsOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { storedPrice } from '#server/features/billing/subscriptions/sync/stored-price.ts'
import {
  findSubscriptionRow,
  type SubscriptionRow,
} from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import type { Principal } from '#server/http/principal.ts'
import type { Membership, OwnedTeam, TeamView } from '#shared/contracts/billing/teams.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { findPlan } from '#shared/domain/plans.ts'
import { findSeat, listMembers, seatsOf, type TeamDeps } from './team-queries.ts'

type TeamViewer = Pick<Principal, 'userId' | 'subscription' | 'team'>

/** The team that the caller owns and the one they are a member of; null if there is none. */
export async function readTeam(deps: TeamDeps, who: TeamViewer): Promise<TeamView> {
  const [owned, membership] = await Promise.all([readOwned(deps, who), readMembership(deps, who)])
  return { owned, membership }
}

/** Null without an active Team plan, unless the team still has members. */
async function readOwned(deps: TeamDeps, who: TeamViewer): Promise<OwnedTeam | null> {
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
