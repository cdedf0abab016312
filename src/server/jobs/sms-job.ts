import { z } from 'zod'
import type { SmsSender } from '#server/sms/sms-gateway.ts'
import { defineJob } from './jobs.ts'

const smsSchema = z.object({
  to: z.string(),
  text: z.string(),
  /** When its code expires. The message isn't sent after that. */
  expiresAt: z.iso.datetime(),
})

/** The part of the job that enqueuing needs; `createSmsJob` adds `run`. */
export const smsJob = { name: 'send-sms', payload: smsSchema }

/** Retries up to four times; skips expired codes. */
export const createSmsJob = (sender: SmsSender, clock: () => Date) =>
  defineJob({
    ...smsJob,
    retryLimit: 4,
    run: async ({ to, text, expiresAt }) => {
      if (new Date(expiresAt) > clock()) await sender.send({ to, text })
    },
  })
