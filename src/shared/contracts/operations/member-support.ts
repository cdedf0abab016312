import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { suppressedStreams, suppressionReasons } from '#shared/contracts/publishing/deliverability.ts'
import { deliveryCauses, emailStreamSchema } from '#shared/contracts/publishing/newsletter.ts'

/* Answers "I'm locked out" and "I got no email" on a user's page: the problems, and the actions that fix them. */

const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as [Key, ...Key[]]
const instant = z.iso.datetime()
const cause = z.enum(keysOf(deliveryCauses)).nullable()
const userId = z.object({ userId: z.uuid() })

export const adminUserSupportCall = defineAdminCall({
  name: 'admin-user-support',
  roles: ['owner', 'support'],
  input: userId,
  output: z.object({
    name: z.string().nullable(),
    preferences: z
      .object({
        focusAreas: z.array(z.string()),
        aiLevel: z.string().nullable(),
        goals: z.array(z.string()),
        franchiseType: z.string().nullable(),
      })
      .nullable(),
    emailPreferences: z.object({ drops: z.enum(['weekly', 'monthly', 'off']), news: z.boolean() }),
    /** Active lockouts after too many wrong passwords or two-factor codes. */
    locks: z.array(z.object({ what: z.enum(['password', 'codes']), until: instant })),
    suppressions: z.array(
      z.object({
        id: z.number().int(),
        stream: z.union([z.enum(keysOf(suppressedStreams)), emailStreamSchema]),
        /** Name of the newsletter whose stream it is, if the publisher added it. */
        newsletter: z.string().nullable(),
        reason: z.enum(keysOf(suppressionReasons)),
        detail: z.string().nullable(),
        createdAt: instant,
      }),
    ),
    /** Issues of the last two months that they didn't receive, newest first. */
    missed: z.array(z.object({ mailingId: z.uuid(), subject: z.string(), sentAt: instant, cause })),
  }),
})
export type UserSupport = z.output<typeof adminUserSupportCall.output>

/** Resets the counters of wrong passwords and codes. */
export const adminUnlockSignInCall = defineAdminCall({
  name: 'admin-unlock-sign-in',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: ['admin-user-support', 'admin-audit-log', 'admin-member-timeline'],
  input: userId,
  output: z.object({}),
})

/** Sends a password reset or address confirmation. */
export const adminSendAccountEmailCall = defineAdminCall({
  name: 'admin-send-account-email',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: ['admin-user-support', 'admin-audit-log', 'admin-member-timeline'],
  input: userId.extend({ kind: z.enum(['password-reset', 'confirmation']) }),
  output: z.object({ to: z.string() }),
})

/**
 * Sends an already sent mailing to one member who didn't receive it. Fails with `already_sent_to_member`, or with
 * `member_not_eligible` and the reason.
 */
export const adminResendMailingCall = defineAdminCall({
  name: 'admin-resend-mailing',
  roles: ['owner', 'support'],
  stepUp: true,
  invalidates: ['admin-user-support', 'admin-audit-log', 'admin-member-timeline'],
  input: userId.extend({ mailingId: z.uuid() }),
  output: z.object({}),
})
