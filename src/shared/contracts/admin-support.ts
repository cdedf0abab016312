import { z } from 'zod'
import { aiLevels } from '../domain/preferences.ts'
import { defineCall } from './define-call.ts'
import { suppressedStreams, suppressionReasons } from './deliverability.ts'
import { deliveryCauses, deliveryStatuses } from './newsletter.ts'

/*
 * The user page as it answers "I'm locked out" and "I got no email": what stands in the way, and the action that helps.
 */

const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as [Key, ...Key[]]
const instant = z.iso.datetime()
const cause = z.enum(keysOf(deliveryCauses)).nullable()
const userId = z.object({ userId: z.uuid() })

const deliverySchema = z.object({
  mailingId: z.uuid(),
  subject: z.string(),
  status: z.enum(deliveryStatuses),
  cause,
  at: instant.nullable(),
  /** What came back after the mail server had accepted it. */
  bounce: z.enum(['hard', 'soft']).nullable(),
  complained: z.boolean(),
})

export const adminUserSupportCall = defineCall({
  name: 'admin-user-support',
  audience: 'admin',
  input: userId,
  output: z.object({
    name: z.string().nullable(),
    preferences: z
      .object({
        focusAreas: z.array(z.string()),
        aiLevel: z.enum(aiLevels).nullable(),
        goals: z.array(z.string()),
        franchiseType: z.string().nullable(),
      })
      .nullable(),
    emailPreferences: z.object({ drops: z.enum(['weekly', 'monthly', 'off']), news: z.boolean() }),
    /** Until when tries count no more: at the password, or at the codes of the second step. */
    locks: z.array(z.object({ what: z.enum(['password', 'codes']), until: instant })),
    suppressions: z.array(
      z.object({
        id: z.number().int(),
        stream: z.enum(keysOf(suppressedStreams)),
        reason: z.enum(keysOf(suppressionReasons)),
        detail: z.string().nullable(),
        createdAt: instant,
      }),
    ),
    /** Drops sent in the last two months, since they joined, that they did not get; newest first. */
    missed: z.array(z.object({ mailingId: z.uuid(), subject: z.string(), sentAt: instant, cause })),
    /** The newest of each; what an account was sent under a former address is not among them. */
    accountEmails: z.array(
      z.object({
        id: z.uuid(),
        subject: z.string(),
        status: z.enum(['queued', 'sent', 'skipped', 'failed']),
        at: instant,
        error: z.string().nullable(),
      }),
    ),
    newsletterEmails: z.array(deliverySchema),
  }),
})
export type UserSupport = z.output<typeof adminUserSupportCall.output>

/** Lets them try again at once: the counts of wrong passwords and codes begin anew. Needs a fresh proof of identity. */
export const adminUnlockSignInCall = defineCall({
  name: 'admin-unlock-sign-in',
  audience: 'admin',
  input: userId,
  output: z.object({}),
})

/** A link to choose a new password, or the one that confirms the address. Needs a fresh proof of identity. */
export const adminSendAccountEmailCall = defineCall({
  name: 'admin-send-account-email',
  audience: 'admin',
  input: userId.extend({ kind: z.enum(['password-reset', 'confirmation']) }),
  output: z.object({ to: z.string() }),
})

/**
 * Sends a drop that was sent already to one member who did not get it. Refused with `already_sent_to_member`, or with
 * `member_not_eligible` and the reason while something keeps them from getting it. Needs a fresh proof of identity.
 */
export const adminResendMailingCall = defineCall({
  name: 'admin-resend-mailing',
  audience: 'admin',
  input: userId.extend({ mailingId: z.uuid() }),
  output: z.object({}),
})
