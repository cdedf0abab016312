import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { type SuppressionReason, suppressionReasons } from '#shared/contracts/publishing/deliverability.ts'
import { isFilteredStream } from '#shared/domain/newsletters.ts'

/* Newsletters of one member: drops, news, and those that the publisher added. */

const roles = ['owner', 'support'] as const
const instant = z.iso.datetime()
const reasons = Object.keys(suppressionReasons) as [SuppressionReason]

const memberNewsletterSchema = z.object({
  /** `drops`, `news` or `newsletter:3`. */
  stream: z.string(),
  name: z.string(),
  membersOnly: z.boolean(),
  /** `never`: it isn't on and never was. */
  status: z.enum(['on', 'off', 'never']),
  /** The last change; null if none is known. */
  changed: z
    .object({
      at: instant,
      /** False if it can be earlier: drops and news share one date. */
      isExact: z.boolean(),
      /** The staff member who changed it; null for the member. */
      by: z.string().nullable(),
    })
    .nullable(),
  /** Why its emails don't reach the address, even if it is on. */
  suppressed: z.object({ reason: z.enum(reasons), since: instant }).nullable(),
})
export type MemberNewsletter = z.infer<typeof memberNewsletterSchema>

const output = z.object({ items: z.array(memberNewsletterSchema) })

export const adminMemberNewslettersCall = defineAdminCall({
  name: 'admin-member-newsletters',
  roles,
  input: z.object({ userId: z.uuid() }),
  output,
})

/**
 * Turns one newsletter on or off for a member. Suppressions stay. Changing it twice records one change.
 */
export const adminSetMemberNewsletterCall = defineAdminCall({
  name: 'admin-set-member-newsletter',
  stepUp: true,
  roles,
  invalidates: ['admin-member-newsletters', 'admin-user-support', 'admin-member-timeline', 'admin-audit-log'],
  input: z
    .object({
      userId: z.uuid(),
      stream: z.string().max(20).refine(isFilteredStream, 'Choose a newsletter from the list'),
      subscribed: z.boolean(),
      /** Staff vouch that the member asked for it. Turning on requires it. */
      memberAsked: z.boolean().default(false),
    })
    .refine(({ subscribed, memberAsked }) => !subscribed || memberAsked, 'Confirm that the member asked for it'),
  output,
})
