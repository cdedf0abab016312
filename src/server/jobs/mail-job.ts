import { z } from 'zod'
import type { Mail, Mailer } from '#server/mail/mail.ts'
import { defineJob } from './jobs.ts'

const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Afterwards the link and code in it are worth nothing. */
  expiresAt: z.iso.datetime().optional(),
})

type Counted = Pick<Mail, 'to' | 'subject'>

/** How many emails of a kind an address may still get. */
export type MailQuota = { isLeft(mail: Counted): Promise<boolean>; count(mail: Counted): Promise<void> }

/** What enqueues need to know of the mail job; the function behind it is added where the mailer is. */
export const mailJob = { name: 'send-mail', payload: mailSchema, retryLimit: 5 }

/**
 * Account email: tried again for temporary failures, so a reader may in rare cases get one twice rather than never.
 * One whose link has expired meanwhile is not sent, nor one too many for its address.
 */
export const createMailJob = ({ mailer, quota, clock }: { mailer: Mailer; quota: MailQuota; clock: () => Date }) =>
  defineJob({
    ...mailJob,
    run: async ({ expiresAt, ...mail }) => {
      if (expiresAt && new Date(expiresAt) <= clock()) return
      if (!(await quota.isLeft(mail))) return
      await mailer.send(mail)
      await quota.count(mail)
    },
  })
