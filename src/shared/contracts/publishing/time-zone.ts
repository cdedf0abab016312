import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

/** Stores the time zone of the reader's browser, in which reminders and drops arrive at their hour. */
export const saveTimeZoneCall = defineCall({
  name: 'save-time-zone',
  audience: 'subscriber',
  input: z.object({ timeZone: z.string().min(1).max(64) }),
  output: z.object({ timeZone: z.string() }),
})
