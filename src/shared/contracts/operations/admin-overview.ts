import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { mailingAlertSchema } from '#shared/contracts/publishing/mailings.ts'
import { mailingStatuses } from '#shared/contracts/publishing/newsletter.ts'
import { publishingAlertSchema } from '#shared/contracts/publishing/publishing.ts'
import { adminSharedNotesCall, adminTriesCall } from '#shared/contracts/reader/tries.ts'
import { problemSchema } from './admin-status.ts'

const instant = z.iso.datetime()
const day = z.iso.date()
const count = z.number().int().nonnegative()

/** Counts above this are reported as this: the overview never reads more rows. */
export const maxOverviewCount = 1_000

/** Problems that keep something from being published or sent. */
const needs = z.object({ count, first: z.array(z.string()).max(3) })

/** Next publications: drops by their document, mailings by their id. */
const upcomingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('drop'),
    id: z.string(),
    title: z.string(),
    /** `published` drops haven't been emailed yet. */
    state: z.enum(['scheduled', 'draft', 'published']),
    /** When it is published; the day of a published one (UTC). */
    at: instant.nullable(),
    needs,
  }),
  z.object({
    kind: z.literal('mailing'),
    id: z.uuid(),
    title: z.string(),
    state: z.enum(mailingStatuses),
    /** When it is sent, or sending began. */
    at: instant.nullable(),
    needs,
  }),
])
export type Upcoming = z.infer<typeof upcomingSchema>

const memberSchema = z.object({ userId: z.uuid(), email: z.string() })

const stuckMembersSchema = z.object({
  /** Members whose payment failed and hasn't been collected, with the newest. */
  failedPayments: z.object({ count, newest: z.array(memberSchema) }),
  /** Second plans of the last 30 days, and those that were left active because only a person can decide. */
  duplicates: z.array(
    memberSchema.extend({ id: z.string(), outcome: z.enum(['canceled', 'left_active']), detectedAt: instant }),
  ),
  /** Events from Stripe that couldn't be processed, so that our records may differ. They are retried. */
  stripeEvents: z.object({ count, newest: z.array(memberSchema) }),
  /** Paying members of the last 30 days' imports, until subscriptions are adopted from Stripe. */
  imported: z.object({ paying: count }),
  /** Addresses that were suppressed in the last 7 days. */
  suppressed: z.object({ bounced: count, complained: count }),
})
export type StuckMembers = z.infer<typeof stuckMembersSchema>

const stuckMailingsSchema = z.object({
  mailings: z.array(mailingAlertSchema),
  documents: z.array(publishingAlertSchema),
  /** Deliveries of the last 30 days that may or may not have been sent. */
  unknownDeliveries: z.array(z.object({ mailingId: z.uuid(), subject: z.string(), count })),
})

const healthSchema = z.object({ sent: count, bounces: count, complaints: count, unsubscribes: count })
const monthSchema = z.object({
  /** For example "2026-11". */
  month: z.string(),
  mrrCents: z.number().int(),
  customers: z.number().int(),
  newCustomers: count,
  lostCustomers: count,
  paidCents: z.number().int(),
})

/** The admin's first page. Parts that the caller's role may not see are null. */
export const adminOverviewCall = defineAdminCall({
  name: 'admin-overview',
  roles: ['owner', 'editor', 'support', 'viewer'],
  input: z.object({}),
  output: z.object({
    totals: z.object({ users: count, newThisWeek: count, activeSubscriptions: count, paused: count }).nullable(),
    /** For owners and editors: by time, what has none last. */
    upcoming: z.array(upcomingSchema).nullable(),
    /** For owners and support. */
    stuckMembers: stuckMembersSchema.nullable(),
    /** For owners and editors. */
    stuckMailings: stuckMailingsSchema.nullable(),
    /** For owners and editors: the newest shared notes, and items by when their answers were last counted. */
    readers: z
      .object({
        notes: adminSharedNotesCall.output.shape.items,
        items: z.array(
          z.object({
            ...adminTriesCall.output.shape.items.element.omit({ breakdown: true }).shape,
            countedAt: instant,
          }),
        ),
      })
      .nullable(),
    /** Weeks end today; `last30Days` (from `since`) and the 30 days before. UTC. */
    growth: z
      .object({
        since: day,
        weeks: z.array(z.object({ from: day, signUps: count })),
        last30Days: count,
        previous30Days: count,
      })
      .nullable(),
    /** Bounces and complaints count in the week in which their mailing was sent. */
    listHealth: z
      .object({
        since: day,
        weeks: z.array(z.object({ from: day, ...healthSchema.shape })),
        last30Days: healthSchema,
        previous30Days: healthSchema,
      })
      .nullable(),
    /** For owners, editors and support: everything that is wrong or late, the most urgent first. */
    problems: z.array(problemSchema).nullable(),
    /** For owners and viewers, by currency: the last 12 months, oldest first. */
    money: z.array(z.object({ currency: z.string(), months: z.array(monthSchema) })).nullable(),
  }),
})
export type AdminOverview = z.infer<typeof adminOverviewCall.output>
