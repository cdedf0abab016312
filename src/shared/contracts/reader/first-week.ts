import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { changedAt } from './saved.ts'

export const firstWeekSteps = ['preferences', 'start-page', 'copy', 'business', 'save', 'answer'] as const
export type FirstWeekStep = (typeof firstWeekSteps)[number]

/** The checklist of a member's first week. Null once the week is over, all is done, or it was dismissed. */
export const firstWeekSchema = z
  .object({ steps: z.array(z.object({ step: z.enum(firstWeekSteps), done: z.boolean() })) })
  .nullable()
export type FirstWeek = z.infer<typeof firstWeekSchema>

export const recordFirstWeekCall = defineCall({
  name: 'record-first-week',
  audience: 'subscriber',
  /** The start page was opened, or the checklist dismissed. Everything else is known from what the reader did. */
  input: z.object({ event: z.enum(['start-page', 'dismissed']), at: changedAt }),
  output: z.object({}),
})
