import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { mailingKinds } from './newsletter.ts'

const instant = z.iso.datetime()
/** Local day of the publication's time zone. */
const day = z.iso.date()

const dropSchema = z.object({
  id: z.string(),
  title: z.string(),
  version: z.int32(),
  /** `scheduled` with changes if it is published already; `failed` if scheduled publishing failed. */
  state: z.enum(['draft', 'scheduled', 'published', 'failed']),
  day,
  /** When it is published. Null unless it is scheduled. */
  at: instant.nullable(),
  /** The mailing that goes out with a scheduled drop. */
  emailId: z.uuid().nullable(),
})
export type CalendarDrop = z.infer<typeof dropSchema>

const mailingSchema = z.object({
  id: z.uuid(),
  kind: z.enum(mailingKinds),
  /** The drop it sends, for kind `issue`. */
  issueId: z.string().nullable(),
  title: z.string(),
  /** `failed`: it wasn't sent at its time and is a draft again. */
  state: z.enum(['scheduled', 'sending', 'paused', 'sent', 'stopped', 'failed']),
  day,
  at: instant,
})
export type CalendarMailing = z.infer<typeof mailingSchema>

/** Drops and mailings of the weeks that a month touches. */
export const adminContentCalendarCall = defineAdminCall({
  name: 'admin-content-calendar',
  roles: ['owner', 'editor'],
  input: z.object({
    /** "2026-11"; null for the current month. */
    month: z
      .string()
      .regex(/^20\d\d-(?:0[1-9]|1[0-2])$/)
      .nullable(),
  }),
  output: z.object({
    month: z.string(),
    timeZone: z.string(),
    today: day,
    drops: z.array(dropSchema),
    mailings: z.array(mailingSchema),
    /** Drafts without a date, edited last first. */
    undated: z.array(dropSchema.pick({ id: true, title: true, version: true })),
    /** First days (Sundays) of weeks without a drop. Empty unless drops come out weekly. */
    gaps: z.array(day),
    /** The next day of the weekly rhythm in a week without a drop; null without a rhythm. */
    nextFreeDay: day.nullable(),
  }),
})
export type ContentCalendar = z.infer<typeof adminContentCalendarCall.output>
