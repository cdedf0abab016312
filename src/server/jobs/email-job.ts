import { z } from 'zod'
import { type AccountEmailStatus, logAccountEmail } from '#server/mail/account-email-log.ts'
import type { Email, Mailer } from '#server/mail/mailer.ts'
import { defineJob, type Enqueue } from './jobs.ts'

const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Afterwards the link and code in it are worth nothing. */
  expiresAt: z.iso.datetime().optional(),
  /** Its line in the log of account emails. */
  logId: z.uuid().optional(),
  /** Leaves no line in that log, for the email about a deleted account. */
  isUnlogged: z.boolean().optional(),
})

type Counted = Pick<Email, 'to' | 'subject'>

/** How many emails of a kind an address may still get. */
export type EmailQuota = { isLeft(mail: Counted): Promise<boolean>; count(mail: Counted): Promise<void> }

/** What enqueues need to know of the mail job; the function behind it is added where the mailer is. */
export const emailJob = { name: 'send-mail', payload: mailSchema, retryLimit: 5 }

/** Enqueues as the queue does, and notes each email in the log of its address, in the same transaction. */
export const createLoggingEnqueue =
  (enqueue: Enqueue, clock: () => Date): Enqueue =>
  async (tx, job, payload) => {
    if (job.name !== emailJob.name) return enqueue(tx, job, payload)
    const { isUnlogged, ...email } = emailJob.payload.parse(payload)
    const logId = isUnlogged ? undefined : await logAccountEmail(tx, email, clock())
    await enqueue(tx, emailJob, { ...email, logId })
  }

type Fate = { status: AccountEmailStatus; error?: string }

type EmailJobDeps = {
  mailer: Mailer
  quota: EmailQuota
  clock: () => Date
  /** Does not fail: an email that went out is not sent again because its line could not be written. */
  recordStatus?: (logId: string, fate: Fate) => Promise<void>
}

/**
 * Account email: tried again for temporary failures, so a reader may in rare cases get one twice rather than never.
 * One whose link has expired meanwhile is not sent, nor one too many for its address.
 */
export const createEmailJob = ({ mailer, quota, clock, recordStatus }: EmailJobDeps) =>
  defineJob({
    ...emailJob,
    run: async ({ expiresAt, logId, ...mail }) => {
      const note = async (fate: Fate) => {
        if (logId) await recordStatus?.(logId, fate)
      }
      if (expiresAt && new Date(expiresAt) <= clock()) {
        return note({ status: 'skipped', error: 'The link expired before the email could be sent' })
      }
      if (!(await quota.isLeft(mail))) {
        return note({ status: 'skipped', error: 'Too many emails of this kind to one address in a day' })
      }
      try {
        await mailer.send(mail)
      } catch (error) {
        await note({ status: 'failed', error: error instanceof Error ? error.message : String(error) })
        throw error
      }
      await quota.count(mail)
      await note({ status: 'sent' })
    },
  })
