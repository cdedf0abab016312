import { z } from 'zod'
import type { Mailer } from '#server/mail/mail.ts'
import { defineJob } from './jobs.ts'

const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
})

/** What enqueues need to know of the mail job; the function behind it is added where the mailer is. */
export const mailJob = { name: 'send-mail', payload: mailSchema, retryLimit: 5 }

/** Account mail: tried again for temporary failures, so a reader may in rare cases get one twice rather than never. */
export const createMailJob = (mailer: Mailer) => defineJob({ ...mailJob, run: async (mail) => mailer.send(mail) })
