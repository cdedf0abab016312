import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { calendarDaySchema } from '#shared/domain/calendar-day.ts'
import { emailSchema } from '#shared/domain/email-address.ts'
import { emailStreamSchema } from './newsletter.ts'

/** `all` is every stream. Account and billing emails belong to none. */
export const suppressedStreams = {
  all: 'All but account and billing emails',
  drops: 'Weekly drops',
  news: 'Product news',
  'follow-ups': 'Follow-ups',
  assignments: 'Assignments and deadlines',
  replies: 'Replies to answers',
  personal: 'Personal emails',
} as const
export type SuppressedStream = keyof typeof suppressedStreams

/** A stream in words. `newsletter` is the name, for the stream of a newsletter that the publisher added. */
export const suppressedStreamText = (stream: string, newsletter: string | null): string =>
  suppressedStreams[stream as SuppressedStream] ?? newsletter ?? stream

export const suppressionReasons = {
  hard_bounce: 'Address doesn’t exist',
  soft_bounces: 'Repeated bounces',
  complaint: 'Reported as spam',
  unsubscribed: 'Asked to unsubscribe',
  manual: 'Suppressed manually',
} as const
export type SuppressionReason = keyof typeof suppressionReasons

/** Filters of the list: `bounced` is for both kinds of bounces. */
export const suppressionReasonFilters = { bounced: 'All bounces', ...suppressionReasons } as const
export type SuppressionReasonFilter = keyof typeof suppressionReasonFilters

const keysOf = <Key extends string>(record: Record<Key, string>) => Object.keys(record) as [Key, ...Key[]]
const stream = z.enum(keysOf(suppressedStreams))
const reason = z.enum(keysOf(suppressionReasons))

const suppressionSchema = z.object({
  id: z.number().int(),
  email: z.string(),
  /** Current account with this address. */
  userId: z.uuid().nullable(),
  stream: z.union([stream, emailStreamSchema]),
  /** Name of the newsletter whose stream it is, if the publisher added it. */
  newsletter: z.string().nullable(),
  reason,
  /** Response of the receiving server, or the admin’s note. */
  detail: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string().nullable(),
  liftedAt: z.iso.datetime().nullable(),
  liftedBy: z.string().nullable(),
  liftReason: z.string().nullable(),
})
export type Suppression = z.infer<typeof suppressionSchema>

/** Newest first, with keyset pagination. */
export const adminSuppressionsCall = defineAdminCall({
  name: 'admin-suppressions',
  roles: ['owner', 'support'],
  input: z.object({
    search: z.string().trim().max(320).nullish(),
    reason: z.enum(keysOf(suppressionReasonFilters)).nullish(),
    stream: stream.nullish(),
    /** Added in the last days. */
    days: z.number().int().min(1).max(365).nullish(),
    /** Includes lifted suppressions. Default: false. */
    lifted: z.boolean().optional(),
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(100).optional(),
  }),
  output: z.object({ items: z.array(suppressionSchema), nextCursor: z.string().nullable() }),
})

/** Answers of readers and their mail servers: the figures of the overview. */
export const emailFeedback = { unsubscribed: 'Unsubscribes', bounced: 'Bounces', complaint: 'Spam complaints' } as const
export type EmailFeedback = keyof typeof emailFeedback

/** Streams of `emailPreferences`, as the reader turned them off. */
export const unsubscribedStreams = { drops: 'Weekly drops', news: 'Product news', 'follow-ups': 'Follow-ups' } as const

/**
 * Who the overview counted since a day (UTC), newest first: deliveries that bounced or were reported, of mailings that were
 * sent since; members who turned an email off since.
 */
export const adminEmailFeedbackCall = defineAdminCall({
  name: 'admin-email-feedback',
  roles: ['owner', 'support'],
  input: z.object({
    feedback: z.enum(keysOf(emailFeedback)),
    since: calendarDaySchema,
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(100).optional(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        /** Id of the delivery, or of the event of a member who turned emails off. */
        id: z.string(),
        userId: z.uuid(),
        /** Null after the account is deleted. */
        email: z.string().nullable(),
        at: z.iso.datetime(),
        /** The mailing that bounced or was complained about. */
        mailing: z.object({ id: z.uuid(), subject: z.string() }).nullable(),
        bounceType: z.enum(['hard', 'soft']).nullable(),
        /** The emails that an unsubscribed member has turned off. */
        off: z.array(z.enum(keysOf(unsubscribedStreams))),
        /** Names of the publisher's newsletters that the member turned off. */
        newsletters: z.array(z.string()),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})
export type EmailFeedbackItem = z.infer<typeof adminEmailFeedbackCall.output>['items'][number]

export const adminSuppressCall = defineAdminCall({
  name: 'admin-suppress',
  roles: ['owner', 'support'],
  invalidates: ['admin-suppressions'],
  input: z.object({
    email: emailSchema,
    stream,
    reason: z.enum(['manual', 'unsubscribed']),
    note: z.string().trim().max(500).optional(),
  }),
  output: suppressionSchema,
})

export const adminLiftSuppressionCall = defineAdminCall({
  name: 'admin-lift-suppression',
  roles: ['owner', 'support'],
  invalidates: ['admin-suppressions', 'admin-user-support', 'admin-audit-log', 'admin-member-timeline'],
  input: z.object({ id: z.number().int().positive(), reason: z.string().trim().min(1).max(500) }),
  output: suppressionSchema,
})
