import type { FeatureDeps } from '#server/feature.ts'
import { withinBudget } from '#server/features/billing/subscriptions/stripe/stripe-call-budget.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  addSeatsCall,
  inviteMemberCall,
  inviteMembersCall,
  joinTeamCall,
  keepSeatsCall,
  leaveTeamCall,
  previewSeatsCall,
  removeMemberCall,
  removeSeatsCall,
  resendInvitationCall,
  revokeInvitationCall,
  teamCall,
  teamInvitationCall,
  transferTeamCall,
} from '#shared/contracts/billing/teams.ts'
import { deletionPreviewCall } from '#shared/contracts/identity/account-security.ts'
import { previewDeletion } from './deletion-preview.ts'
import { leaveTeam, removeMember } from './end-membership.ts'
import { describeInvitation } from './find-invitation.ts'
import { inviteMember, resendInvitation, revokeInvitation } from './invite-member.ts'
import { inviteMembers } from './invite-members.ts'
import { joinTeam } from './join-team.ts'
import { readTeam } from './read-team.ts'
import { addSeats, previewSeats } from './seats/add-seats.ts'
import { keepSeats, removeSeats } from './seats/remove-seats.ts'
import { transferTeam } from './transfer-team.ts'

/** API calls for team members and invitations. */
export const teamCalls = (deps: FeatureDeps): Implementation[] => [
  implement(teamCall, (_input, who) => readTeam(deps, who)),
  implement(inviteMemberCall, ({ email }, who, request) => inviteMember(deps, { who, request }, email)),
  implement(inviteMembersCall, ({ emails }, who, request) => inviteMembers(deps, { who, request }, emails)),
  implement(resendInvitationCall, ({ id }, who, request) => resendInvitation(deps, { who, request }, id)),
  implement(revokeInvitationCall, ({ id }, who, request) => revokeInvitation(deps, { who, request }, id)),
  implement(teamInvitationCall, ({ token }) => describeInvitation(deps, token)),
  implement(joinTeamCall, (input, who, request) => joinTeam(deps, { who, request }, input)),
  implement(removeMemberCall, ({ userId }, who, request) => removeMember(deps, { who, request }, userId)),
  implement(leaveTeamCall, (_input, who, request) => leaveTeam(deps, { who, request })),
  implement(transferTeamCall, ({ userId }, who, request) => transferTeam(deps, { who, request }, userId)),
  implement(
    previewSeatsCall,
    withinBudget(deps, 3, ({ seats }, who) => previewSeats(deps, who, seats)),
  ),
  implement(
    addSeatsCall,
    withinBudget(deps, 6, (wanted, who) => addSeats(deps, who, wanted)),
  ),
  implement(removeSeatsCall, ({ seats }, who) => removeSeats(deps, who, seats)),
  implement(
    keepSeatsCall,
    withinBudget(deps, 5, (_input, who) => keepSeats(deps, who)),
  ),
  implement(deletionPreviewCall, (_input, who) => previewDeletion(deps, who.userId)),
]
