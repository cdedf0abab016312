import { z } from 'zod'
import { type AccountEmailStatus, logAccountEmail } from '#server/mail/account-email-log.ts'
import { type Email, type Mailer, mayBeAcceptedLater } from '#server/mail/mailer.ts'
import { defineJob, type Enqueue } from './jobs.ts'

const emailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  /** When its link or code expires. The email isn't sent after that. */
  expiresAt: z.iso.datetime().optional(),
  /** Replies that the email quotes. It isn't sent if one of them has changed since. */
  quoted: z.object({ ids: z.array(z.uuid()), digest: z.string() }).optional(),
  /** Entry in the account email log. */
  logId: z.uuid().optional(),
  /** Skips the log, for the email about a deleted account. */
  isUnlogged: z.boolean().optional(),
})

export type QuotedReplies = NonNullable<z.output<typeof emailSchema>['quoted']>

type QuotaSubject = Pick<Email, 'to' | 'subject'>

/** Limits how many emails of a kind an address gets. */
export type EmailQuota = { isLeft(email: QuotaSubject): Promise<boolean>; count(email: QuotaSubject): Promise<void> }

/** The part of the job that enqueuing needs; `createEmailJob` adds `run`. */
export const emailJob = {
  name: 'send-email',
  formerNames: ['send-mail'],
  payload: emailSchema,
  // About two days, for a mail server that is down.
  retryLimit: 200,
  maxRetrySeconds: 15 * 60,
  // Longer than the timeouts of the mail server's connection. Jobs of a lost node, or of a lost database, run again then.
  maxSeconds: 5 * 60,
}

/** Tries of an email that the mail server refuses, or that may have arrived already. */
const maxRefusedAttempts = 6

/** Wraps `enqueue`: adds each email to the account email log in the same transaction. */
export const createLoggingEnqueue =
  (enqueue: Enqueue, clock: () => Date): Enqueue =>
  async (tx, job, ...payloads) => {
    if (job.name !== emailJob.name) return enqueue(tx, job, ...payloads)
    const logged: z.input<typeof emailJob.payload>[] = []
    for (const payload of payloads) {
      const { isUnlogged, ...email } = emailJob.payload.parse(payload)
      logged.push({ ...email, logId: isUnlogged ? undefined : await logAccountEmail(tx, email, clock()) })
    }
    await enqueue(tx, emailJob, ...logged)
  }

type StatusUpdate = { status: AccountEmailStatus; error?: string }

type EmailJobDeps = {
  mailer: Mailer
  quota: EmailQuota
  clock: () => Date
  /** False if something that the email quotes has changed. */
  isCurrent?: (quoted: QuotedReplies) => Promise<boolean>
  /** Must not reject: a sent email would be sent again. */
  recordStatus?: (logId: string, update: StatusUpdate) => Promise<void>
}

/**
 * Sends account email at least once. While the mail server is down, the email waits up to two days. Skips an email whose
 * link has expired or whose recipient is over the quota.
 */
export const createEmailJob = ({ mailer, quota, clock, isCurrent, recordStatus }: EmailJobDeps) =>
  defineJob({
    ...emailJob,
    run: async ({ expiresAt, logId, quoted, ...email }, claim) => {
      const record = async (update: StatusUpdate) => {
        if (logId) await recordStatus?.(logId, update)
      }
      if (expiresAt && new Date(expiresAt) <= clock()) {
        return record({ status: 'skipped', error: 'The link expired before the email could be sent' })
      }
      if (quoted && (await isCurrent?.(quoted)) === false) {
        return record({ status: 'skipped', error: 'What it quotes was changed or removed' })
      }
      if (!(await quota.isLeft(email))) {
        return record({ status: 'skipped', error: 'Too many emails of this kind to one address in a day' })
      }
      try {
        await mailer.send(email)
      } catch (error) {
        await record({ status: 'failed', error: error instanceof Error ? error.message : String(error) })
        if (claim && claim.attempt >= maxRefusedAttempts && !mayBeAcceptedLater(error)) return
        throw error
      }
      await quota.count(email)
      await record({ status: 'sent' })
    },
  })
