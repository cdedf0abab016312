import type { z } from 'zod'
import type { Deps, FeatureDeps } from '#server/feature.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { withinBudget } from '#server/features/billing/subscriptions/stripe/stripe-call-budget.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { listMembers, readTeam } from '#server/features/billing/teams/team-queries.ts'
import type { Caller } from '#server/http/principal.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/billing/teams.ts'
import { deletionPreviewCall } from '#shared/contracts/identity/account-security.ts'
import { paidUntil } from '#shared/domain/entitlement.ts'
import { planOf } from '#shared/domain/plans.ts'
import { addTeamDomain, listDomains, proveTeamDomain, removeTeamDomain } from './domains/team-domains.ts'
import { inviteMember, inviteMembers, resendInvitation, revokeInvitation } from './invite-members.ts'
import { describeInvitation, joinTeam, leaveTeam, removeMember } from './join-team.ts'
import { addSeats, previewSeats } from './seats/raise-and-lower-seats.ts'
import { keepSeats, removeSeats } from './seats/remove-seats.ts'
import { answerSeatRequest, findOwnRequest, listRequests, requestSeats } from './seats/seat-requests.ts'
import { transferTeam } from './transfer-team.ts'

const endedStatuses: ReadonlySet<string> = new Set(['none', 'canceled', 'incomplete', 'incomplete_expired'])

/** Reads what deleting the account would end: its subscription and the team seats it pays for. */
async function previewDeletion(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  userId: string,
): Promise<z.input<typeof deletionPreviewCall.output>> {
  const row = await findSubscriptionRow(database.db, userId)
  const teamMembers = (await listMembers(database.db, userId)).length
  if (!row || endedStatuses.has(row.status)) return { subscription: null, teamMembers }
  const plan = planOfProduct(config, row.productId)
  return {
    subscription: {
      planName: plan ? planOf(config.settings.publication, plan).name : 'Subscription',
      paidUntil: paidUntil(row)?.toISOString() ?? null,
    },
    teamMembers,
  }
}

async function readTeamPage(deps: FeatureDeps, who: Caller): Promise<contracts.TeamView> {
  const { db } = deps.database
  const { owned, membership } = await readTeam(deps, who)
  const domains = owned ? await listDomains(db, who.userId) : []
  const requests = owned ? await listRequests(db, who.userId) : []
  return { owned: owned && { ...owned, domains, requests }, membership, request: await findOwnRequest(db, who.userId) }
}

/** API calls for team members and invitations. */
export const teamCalls = (deps: FeatureDeps): Implementation[] => [
  implement(contracts.teamCall, (_input, who) => readTeamPage(deps, who)),
  implement(contracts.inviteMemberCall, ({ email }, who) => inviteMember(deps, who, email)),
  implement(contracts.inviteMembersCall, ({ emails }, who) => inviteMembers(deps, who, emails)),
  implement(contracts.resendInvitationCall, ({ id }, who) => resendInvitation(deps, who, id)),
  implement(contracts.revokeInvitationCall, ({ id }, who) => revokeInvitation(deps, who, id)),
  implement(contracts.teamInvitationCall, ({ token }) => describeInvitation(deps, token)),
  implement(contracts.joinTeamCall, (input, who) => joinTeam(deps, who, input)),
  implement(contracts.removeMemberCall, ({ userId }, who) => removeMember(deps, who, userId)),
  implement(contracts.leaveTeamCall, (_input, who) => leaveTeam(deps, who)),
  implement(contracts.transferTeamCall, ({ userId }, who) => transferTeam(deps, who, userId)),
  implement(
    contracts.previewSeatsCall,
    withinBudget(deps, 3, ({ seats }, who) => previewSeats(deps, who, seats)),
  ),
  implement(
    contracts.addSeatsCall,
    withinBudget(deps, 6, (wanted, who) => addSeats(deps, who, wanted)),
  ),
  implement(contracts.removeSeatsCall, ({ seats }, who) => removeSeats(deps, who, seats)),
  implement(
    contracts.keepSeatsCall,
    withinBudget(deps, 5, (_input, who) => keepSeats(deps, who)),
  ),
  implement(contracts.addTeamDomainCall, ({ email }, who) => addTeamDomain(deps, who, email)),
  implement(contracts.proveTeamDomainCall, (input, who) => proveTeamDomain(deps, who, input)),
  implement(contracts.removeTeamDomainCall, ({ domain }, who) => removeTeamDomain(deps, who, domain)),
  implement(contracts.requestSeatsCall, (input, who) => requestSeats(deps, who, input)),
  implement(contracts.answerSeatRequestCall, (input, who) => answerSeatRequest(deps, who, input)),
  implement(deletionPreviewCall, (_input, who) => previewDeletion(deps, who.userId)),
]
