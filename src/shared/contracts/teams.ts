import { z } from 'zod'
import { defineCall } from './define-call.ts'

const instant = z.iso.datetime()
const address = z.string().trim().min(1).max(320)

/** A team as its owner sees it: seats and who has them, nothing of what anybody reads. */
const ownedTeamSchema = z.object({
  /** Whether the plan runs; while it does not, the seats stay and open nothing. */
  active: z.boolean(),
  seats: z.object({ total: z.number().int(), taken: z.number().int() }),
  members: z.array(z.object({ userId: z.uuid(), email: z.string(), joinedAt: instant })),
  /** Sent and not used, newest first. */
  invitations: z.array(
    z.object({ id: z.uuid(), email: z.string(), sentAt: instant, expiresAt: instant, expired: z.boolean() }),
  ),
})
export type OwnedTeam = z.infer<typeof ownedTeamSchema>

/** A team as a member sees it: who pays, and until when. */
const membershipSchema = z.object({
  ownerEmail: z.string(),
  active: z.boolean(),
  /** End of what is paid; null while the plan does not run. */
  until: instant.nullable(),
  joinedAt: instant,
  /** Whether they also pay for a plan of their own. */
  ownPlan: z.boolean(),
})
export type Membership = z.infer<typeof membershipSchema>

/** The caller's place in teams. Both parts at once for a member who has bought a Team plan. */
export const teamCall = defineCall({
  name: 'team',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ owned: ownedTeamSchema.nullable(), membership: membershipSchema.nullable() }),
})
export type TeamView = z.infer<typeof teamCall.output>

/** Mails a link and a code; an address that was invited before gets new ones. Needs a fresh proof of identity. */
export const inviteMemberCall = defineCall({
  name: 'invite-member',
  audience: 'user',
  input: z.object({ email: address }),
  output: z.object({ invited: z.literal(true) }),
})

export const resendInvitationCall = defineCall({
  name: 'resend-invitation',
  audience: 'user',
  input: z.object({ id: z.uuid() }),
  output: z.object({ invited: z.literal(true) }),
})

/** An invitation that is gone already, or somebody else's, changes nothing. */
export const revokeInvitationCall = defineCall({
  name: 'revoke-invitation',
  audience: 'user',
  input: z.object({ id: z.uuid() }),
  output: z.object({ revoked: z.boolean() }),
})

/** What a mailed link is worth, before anybody has signed in. Changes nothing. */
export const teamInvitationCall = defineCall({
  name: 'team-invitation',
  audience: 'public',
  input: z.object({ token: z.string().min(1).max(200) }),
  output: z.object({
    status: z.enum(['open', 'expired', 'used', 'full', 'lapsed']),
    email: z.string(),
    ownerEmail: z.string(),
  }),
})

/** Takes a seat, with the mailed link or with the code of the same mail. */
export const joinTeamCall = defineCall({
  name: 'join-team',
  audience: 'user',
  input: z.union([
    z.object({ token: z.string().min(1).max(200) }),
    z.object({ email: address, code: z.string().trim().min(1).max(32) }),
  ]),
  output: z.object({ joined: z.literal(true), ownPlan: z.boolean() }),
})

/** Needs a fresh proof of identity, like all that ends or moves somebody's access. */
export const removeMemberCall = defineCall({
  name: 'remove-member',
  audience: 'user',
  input: z.object({ userId: z.uuid() }),
  output: z.object({ removed: z.boolean() }),
})

export const leaveTeamCall = defineCall({
  name: 'leave-team',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({ left: z.boolean() }),
})

/** Makes a member the owner and the owner a member; the subscription goes along, with its payment card. */
export const handOverTeamCall = defineCall({
  name: 'hand-over-team',
  audience: 'user',
  input: z.object({ userId: z.uuid() }),
  output: z.object({ handedOver: z.literal(true) }),
})
