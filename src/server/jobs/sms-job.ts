import { z } from 'zod'
import type { SmsSender } from '#server/sms/sms.ts'
import { defineJob } from './jobs.ts'

const smsSchema = z.object({
  to: z.string(),
  text: z.string(),
  /** Afterwards the code in it is worth nothing, and sending it would only puzzle. */
  expiresAt: z.iso.datetime(),
})

/** What enqueues need to know of the job; the function behind it is added where the sender is. */
export const smsJob = { name: 'send-sms', payload: smsSchema }

/** Tried again while the gateway is away, as long as the code is still of use. */
export const createSmsJob = (sender: SmsSender, clock: () => Date) =>
  defineJob({
    ...smsJob,
    retryLimit: 4,
    run: async ({ to, text, expiresAt }) => {
      if (new Date(expiresAt) > clock()) await sender.send({ to, text })
    },
  })
