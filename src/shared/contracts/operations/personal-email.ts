import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { deliveryCauseSchema, deliveryStatuses } from '#shared/contracts/publishing/newsletter.ts'

/* An email that staff write to one member. */

const roles = ['owner', 'support'] as const
const userId = z.object({ userId: z.uuid() })

/** Subject and text may hold merge fields such as {{first_name|there}}. */
const personalEmailSchema = userId.extend({
  subject: z.string().trim().min(1, 'Enter a subject').max(200, 'Use at most 200 characters for the subject'),
  /** Markdown. */
  text: z.string().trim().min(1, 'Enter a text').max(20_000, 'Use at most 20,000 characters for the text'),
})
export type PersonalEmail = z.input<typeof personalEmailSchema>

const sentSchema = z.object({
  id: z.uuid(),
  subject: z.string(),
  text: z.string(),
  at: z.iso.datetime(),
  by: z.string().nullable(),
  status: z.enum(deliveryStatuses),
  /** Why it failed, wasn't sent, or is unknown. */
  cause: deliveryCauseSchema.nullable(),
})
export type SentPersonalEmail = z.output<typeof sentSchema>

/** The newest 50 personal emails to a member, and whether they can get another one. */
export const adminPersonalEmailsCall = defineAdminCall({
  name: 'admin-personal-emails',
  roles,
  input: userId,
  output: z.object({
    items: z.array(sentSchema),
    /** Where the member's answer goes. */
    replyTo: z.string(),
    /** Why the member can't get one; null if they can. */
    obstacle: deliveryCauseSchema.nullable(),
    /** The member turned off drops or news, which doesn't stop personal emails. */
    hasUnsubscribed: z.boolean(),
  }),
})
export type PersonalEmails = z.output<typeof adminPersonalEmailsCall.output>

/** The email as this member would get it, and what is wrong with its text. Sends nothing. */
export const adminPreviewPersonalEmailCall = defineAdminCall({
  name: 'admin-preview-personal-email',
  roles,
  input: personalEmailSchema,
  output: z.object({ subject: z.string(), html: z.string(), text: z.string(), errors: z.array(z.string()) }),
})

/**
 * Sends the email. A repeated `id` sends nothing, and so does the same text to the same member within a day
 * (`already_sent_to_member`). Fails with `member_not_eligible` and the reason, or `mailing_has_errors`.
 */
export const adminSendPersonalEmailCall = defineAdminCall({
  name: 'admin-send-personal-email',
  stepUp: true,
  roles,
  invalidates: ['admin-personal-emails', 'admin-member-timeline', 'admin-audit-log'],
  input: personalEmailSchema.extend({
    /** Becomes the mailing's id. */
    id: z.uuid(),
  }),
  output: z.object({}),
})
