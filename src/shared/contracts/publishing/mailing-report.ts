import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { mailingIdSchema, progressSchema } from './mailings.ts'

/** Why an email was returned, read from the receiving server's response. */
export const bounceCauses = {
  unknown_address: 'The address doesn’t exist',
  mailbox_full: 'The mailbox is full',
  blocked: 'Blocked as spam or by a policy',
  unreachable: 'The receiving server couldn’t be reached',
  too_large: 'The email was too large',
  other: 'Other or no reason given',
} as const
export type BounceCause = keyof typeof bounceCauses

const count = z.number().int().nonnegative()

/** The report of a mailing that has started; its totals are part of the mailing itself. */
export const adminMailingReportCall = defineAdminCall({
  name: 'admin-mailing-report',
  roles: ['owner', 'editor'],
  input: mailingIdSchema,
  output: z.object({
    /** Hours in which something happened, oldest first, up to 14 days after the start. */
    hours: z.array(
      z.object({ at: z.iso.datetime(), submitted: count, opened: count, clicked: count, unsubscribed: count }),
    ),
    /** The 50 links with the most readers. */
    links: z.array(z.object({ url: z.string(), readers: count, bots: count })),
    /** Most frequent first, of the first 10,000 returned emails. */
    bounceCauses: z.array(z.object({ cause: z.enum(Object.keys(bounceCauses) as [BounceCause]), count })),
    /** The five mailings of the same kind that started before this one, newest first. */
    previous: z.array(
      z.object({
        id: z.uuid(),
        subject: z.string(),
        startedAt: z.iso.datetime(),
        tracked: z.boolean(),
        progress: progressSchema,
      }),
    ),
  }),
})
export type MailingReport = z.infer<typeof adminMailingReportCall.output>
