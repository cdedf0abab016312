import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { maxPlanSeats } from '#shared/domain/plan-problem.ts'
import { subscriptionPriceSchema } from '#shared/domain/subscription-price.ts'
import { subscriptionSchema } from './subscription.ts'

const instant = z.iso.datetime()
export const maxTeamDomains = 5
const address = z.string().trim().min(1).max(320)

/** A team as its owner sees it. Includes nothing about what members read. */
const ownedTeamSchema = z.object({
  /** True if the plan is active. While it isn't, members keep their seats but have no access. */
  active: z.boolean(),
  seats: z.object({ total: z.number().int(), taken: z.number().int() }),
  /** For a plan that is priced per seat; null for one with a fixed number. */
  perSeat: z
    .object({
      /** The plan's minimum. */
      min: z.number().int(),
      /** Price of one seat; null if it isn't one amount. */
      price: subscriptionPriceSchema.nullable(),
      renewsAt: instant.nullable(),
      /** Empty seats that end at the renewal. */
      ending: z.object({ count: z.number().int(), at: instant }).nullable(),
    })
    .nullable(),
  members: z.array(z.object({ userId: z.uuid(), email: z.string(), joinedAt: instant })),
  /** Whoever signs in with a confirmed address at a proven domain gets a seat. */
  domains: z.array(z.object({ domain: z.string(), email: z.string(), provenAt: instant.nullable() })),
  /** Requests that the owner hasn't answered, oldest first. */
  requests: z.array(
    z.object({
      userId: z.uuid(),
      email: z.string(),
      /** True for a member who asks for others. */
      isMember: z.boolean(),
      seats: z.number().int(),
      requestedAt: instant,
    }),
  ),
  /** Invitations that nobody has accepted yet, newest first. */
  invitations: z.array(
    z.object({ id: z.uuid(), email: z.string(), sentAt: instant, expiresAt: instant, expired: z.boolean() }),
  ),
})
export type OwnedTeam = z.infer<typeof ownedTeamSchema>

/** A team as a member sees it. */
const membershipSchema = z.object({
  ownerEmail: z.string(),
  active: z.boolean(),
  /** End of the paid period; null while the plan isn't active. */
  until: instant.nullable(),
  joinedAt: instant,
  /** True if the member also has an active plan of their own. */
  ownPlan: z.boolean(),
})
export type Membership = z.infer<typeof membershipSchema>

/** The caller's team and membership. Both are set for a member who also bought a Team plan. */
export const teamCall = defineCall({
  name: 'team',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    owned: ownedTeamSchema.nullable(),
    membership: membershipSchema.nullable(),
    /** What the caller asked a team's owner for. */
    request: z
      .object({ ownerEmail: z.string(), seats: z.number().int(), requestedAt: instant, declined: z.boolean() })
      .nullable(),
  }),
})
export type TeamView = z.infer<typeof teamCall.output>

/** Emails an invitation link and code; inviting the same address again replaces them. */
export const inviteMemberCall = defineCall({
  name: 'invite-member',
  audience: 'user',
  stepUp: true,
  input: z.object({ email: address }),
  output: z.object({ invited: z.literal(true) }),
})

export const maxInvitedAtOnce = 100

/** Result for one address. `limited`: too many emails to it, or from this team, today. */
export const inviteResults = ['invited', 'already_invited', 'already_member', 'invalid', 'no_seat', 'limited'] as const

/**
 * Invites several people, in this order, as long as seats are left that no invitation waits for. Addresses that can't be
 * invited don't stop the others.
 */
export const inviteMembersCall = defineCall({
  name: 'invite-members',
  audience: 'user',
  stepUp: true,
  input: z.object({ emails: z.array(z.string().max(500)).min(1).max(maxInvitedAtOnce) }),
  output: z.object({ results: z.array(z.object({ email: z.string(), result: z.enum(inviteResults) })) }),
})
export type InvitedAddress = z.infer<typeof inviteMembersCall.output>['results'][number]

export const resendInvitationCall = defineCall({
  name: 'resend-invitation',
  audience: 'user',
  stepUp: true,
  input: z.object({ id: z.uuid() }),
  output: z.object({ invited: z.literal(true) }),
})

/** `revoked` is false for an unknown invitation. */
export const revokeInvitationCall = defineCall({
  name: 'revoke-invitation',
  audience: 'user',
  stepUp: true,
  input: z.object({ id: z.uuid() }),
  output: z.object({ revoked: z.boolean() }),
})

/** The invitation behind an emailed link, readable before signing in. */
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

/** Takes a seat, with the token of the link or with the code of the invitation email. */
export const joinTeamCall = defineCall({
  name: 'join-team',
  audience: 'user',
  input: z.union([
    z.object({ token: z.string().min(1).max(200) }),
    z.object({ email: address, code: z.string().trim().min(1).max(32) }),
  ]),
  output: z.object({ joined: z.literal(true), ownPlan: z.boolean() }),
})

export const removeMemberCall = defineCall({
  name: 'remove-member',
  audience: 'user',
  stepUp: true,
  input: z.object({ userId: z.uuid() }),
  output: z.object({ removed: z.boolean() }),
})

export const leaveTeamCall = defineCall({
  name: 'leave-team',
  audience: 'user',
  stepUp: true,
  input: z.object({}).nullish(),
  output: z.object({ left: z.boolean() }),
})

/** Makes a member the owner and the owner a member. The subscription and its payment card move along. */
export const transferTeamCall = defineCall({
  name: 'transfer-team',
  audience: 'user',
  stepUp: true,
  input: z.object({ userId: z.uuid() }),
  output: z.object({ transferred: z.literal(true) }),
})

const seats = z.number().int().min(1).max(maxPlanSeats)

/** Shows what more seats would cost now. `seats` is the new total. Changes nothing. */
export const previewSeatsCall = defineCall({
  name: 'preview-seats',
  audience: 'user',
  input: z.object({ seats }),
  output: z.object({
    dueTodayCents: z.number().int(),
    currency: z.string(),
    /** The next renewal, and the price of all seats then, after discounts and before credit. */
    nextAt: instant,
    nextCents: z.number().int(),
    /** Passed back to `add-seats` with `dueTodayCents`, so that the charge equals the preview. */
    prorationDate: z.number().int(),
  }),
})
export type SeatsPreview = z.infer<typeof previewSeatsCall.output>

/** Adds seats up to the new total and charges the previewed amount. */
export const addSeatsCall = defineCall({
  name: 'add-seats',
  audience: 'user',
  stepUp: true,
  input: z.object({
    seats,
    prorationDate: z.number().int().positive(),
    dueTodayCents: z.number().int().nonnegative(),
    requestId: z.uuid(),
  }),
  output: subscriptionSchema,
})

/** Lowers the seats to `seats` at the next renewal. Fails below the seats in use. */
export const removeSeatsCall = defineCall({
  name: 'remove-seats',
  audience: 'user',
  stepUp: true,
  input: z.object({ seats }),
  output: z.object({ at: instant }),
})

/** Undoes `remove-seats` before the renewal. */
export const keepSeatsCall = defineCall({
  name: 'keep-seats',
  audience: 'user',
  stepUp: true,
  input: z.object({}).nullish(),
  output: subscriptionSchema,
})

const domain = z.string().min(1).max(255)
const ofOwner = { audience: 'user', stepUp: true, invalidates: ['team'] } as const

/** Emails a code to an address at the domain; doing it again replaces the code. */
export const addTeamDomainCall = defineCall({
  name: 'add-team-domain',
  ...ofOwner,
  input: z.object({ email: address }),
  output: z.object({ domain }),
})

/** Proves a domain with the emailed code. */
export const proveTeamDomainCall = defineCall({
  name: 'prove-team-domain',
  ...ofOwner,
  input: z.object({ domain, code: z.string().trim().min(1).max(32) }),
  output: z.object({ proven: z.literal(true) }),
})

/** `removed` is false for an unknown domain. Members keep their seats. */
export const removeTeamDomainCall = defineCall({
  name: 'remove-team-domain',
  ...ofOwner,
  input: z.object({ domain }),
  output: z.object({ removed: z.boolean() }),
})

/**
 * Asks the owner for seats for others, or, with the token of an invitation to a full team, for one's own. An open request
 * stays as it is.
 */
export const requestSeatsCall = defineCall({
  name: 'request-seats',
  audience: 'user',
  invalidates: ['team'],
  input: z.object({ seats: z.number().int().min(1).max(100), token: z.string().min(1).max(200).optional() }),
  output: z.object({ requested: z.literal(true) }),
})

/** Answers a request. Yes needs enough free seats. `answered` is false if it was answered already. */
export const answerSeatRequestCall = defineCall({
  name: 'answer-seat-request',
  ...ofOwner,
  input: z.object({ userId: z.uuid(), accept: z.boolean() }),
  output: z.object({ answered: z.boolean() }),
})
