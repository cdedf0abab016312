import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { storedPreferencesSchema } from '#shared/contracts/reader/preferences.ts'
import { subscriptionPriceSchema } from '#shared/domain/subscription-price.ts'

const instant = z.iso.datetime()
const roles = ['owner', 'support'] as const
const userId = z.object({ userId: z.uuid() })

/** Filters of the timeline, with their labels. */
export const timelineKinds = {
  account: 'Sign-up and answers',
  emails: 'Emails',
  payments: 'Payments',
  access: 'Access',
  security: 'Security',
  notes: 'Notes',
  staff: 'Staff actions',
} as const
export type TimelineKind = keyof typeof timelineKinds
const kind = z.enum(Object.keys(timelineKinds) as [TimelineKind, ...TimelineKind[]])

const timelineEntrySchema = z.object({
  id: z.string(),
  at: instant,
  kind,
  /** The event, for display. */
  title: z.string(),
  /** Why, how it ended, and other details, one per line. */
  details: z.array(z.string()),
  /** Who did it, if it wasn't the member. */
  by: z.string().nullable(),
  /** Something that failed or needs attention. */
  isProblem: z.boolean(),
  mailingId: z.uuid().nullable(),
})
export type TimelineEntry = z.infer<typeof timelineEntrySchema>

/** Everything that happened to a member, newest first, in keyset pages. Amounts are left out for staff who may not see money. */
export const adminMemberTimelineCall = defineAdminCall({
  name: 'admin-member-timeline',
  roles,
  input: userId.extend({
    kind: kind.nullish(),
    cursor: z.string().max(400).nullish(),
    limit: z.number().int().min(1).max(100).optional(),
  }),
  output: z.object({ items: z.array(timelineEntrySchema), nextCursor: z.string().nullable() }),
})

/** Who a member is: account, business, plan and team in one answer. */
export const adminMemberCall = defineAdminCall({
  name: 'admin-member',
  roles,
  input: userId,
  output: z.object({
    id: z.uuid(),
    name: z.string().nullable(),
    email: z.string(),
    /** A new address that waits for its confirmation. */
    pendingEmail: z.string().nullable(),
    joinedAt: instant,
    lastSeenAt: instant.nullable(),
    answers: storedPreferencesSchema.nullable(),
    /** The number alone: what members enter about their business is theirs. */
    locations: z.object({ total: z.number().int(), shared: z.number().int() }),
    plan: planKeySchema.nullable(),
    /** Plan and access in one sentence. */
    access: z.string(),
    hasAccess: z.boolean(),
    renewsAt: instant.nullable(),
    /** The member's price now. Null if they pay nothing, and for staff who may not see money. */
    price: subscriptionPriceSchema.nullable(),
    /** When they first paid. */
    payingSince: instant.nullable(),
    /** When the oldest invoice that isn't paid was created. */
    unpaidSince: instant.nullable(),
    /** When they last read a drop. Staff don't see which. */
    lastReadAt: instant.nullable(),
    /** The Stripe customer that an import named, until its subscription is adopted. */
    unlinkedStripeCustomer: z.string().nullable(),
    /** The team they own. */
    team: z
      .object({
        active: z.boolean(),
        seats: z.object({ total: z.number().int(), taken: z.number().int() }),
        members: z.array(z.object({ userId: z.uuid(), email: z.string(), joinedAt: instant })),
        invitations: z.array(z.object({ id: z.uuid(), email: z.string(), expiresAt: instant, expired: z.boolean() })),
      })
      .nullable(),
    /** The team they have a seat in. */
    memberOf: z.object({ ownerId: z.uuid(), ownerEmail: z.string(), joinedAt: instant }).nullable(),
  }),
})
export type Member = z.output<typeof adminMemberCall.output>

/** Where a member is signed in, last used first. */
export const adminMemberSessionsCall = defineAdminCall({
  name: 'admin-member-sessions',
  roles,
  input: userId,
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        device: z.string(),
        ip: z.string(),
        startedAt: instant,
        lastUsedAt: instant,
        secondFactor: z.boolean(),
      }),
    ),
  }),
})

/** Ends one session of a member, or all. Ending nothing isn't an error. */
export const adminEndMemberSessionsCall = defineAdminCall({
  name: 'admin-end-member-sessions',
  stepUp: true,
  roles,
  invalidates: ['admin-member-sessions', 'admin-member-timeline', 'admin-audit-log'],
  input: userId.extend({ sessionId: z.uuid().nullable() }),
  output: z.object({ ended: z.number().int() }),
})
