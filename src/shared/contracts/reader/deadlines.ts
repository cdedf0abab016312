import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { maxDeadlineTitle, maxLeadDays } from '#shared/domain/deadlines.ts'
import { storableText } from '#shared/domain/storable-text.ts'

const deadlineSchema = z.object({
  id: z.uuid(),
  /** Of the publication’s kinds, or `other`. It may be gone since. */
  kind: z.string(),
  title: z.string(),
  /** Null for the whole business. */
  locationId: z.uuid().nullable(),
  dueOn: z.iso.date(),
  /** How many days before the date the reader is reminded. */
  leadDays: z.int().min(0).max(maxLeadDays),
  yearly: z.boolean(),
  done: z.boolean(),
})
export type Deadline = z.infer<typeof deadlineSchema>

/** What the publication suggests for a kind. */
const kindSchema = z.object({
  id: z.string(),
  label: z.string(),
  leadDays: z.number(),
  yearly: z.boolean(),
  /** What prepares it, if anything. */
  prepare: z.object({ label: z.string(), path: z.string() }).nullable(),
})
export type DeadlineKind = z.infer<typeof kindSchema>

/** The reader’s dates, by date, and what a form for one needs. */
export const deadlinesCall = defineCall({
  name: 'deadlines',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({
    deadlines: z.array(deadlineSchema),
    kinds: z.array(kindSchema),
    locations: z.array(z.object({ id: z.uuid(), name: z.string() })),
  }),
})
export type Deadlines = z.infer<typeof deadlinesCall.output>

const invalidates = ['deadlines', 'item-marks'] as const

/** Adds the date if the id is new, or changes it. Fails with `location_not_found` or `too_many_deadlines`. */
export const saveDeadlineCall = defineCall({
  name: 'save-deadline',
  audience: 'subscriber',
  invalidates,
  input: deadlineSchema.extend({
    kind: z.string().regex(/^[a-z0-9-]{1,60}$/),
    title: z
      .string()
      .max(1_000)
      .transform((text) => storableText(text).replaceAll(/\s+/g, ' ').trim())
      .pipe(z.string().min(1, 'Enter what is due').max(maxDeadlineTitle)),
    dueOn: z.iso.date().refine((day) => day >= '2000-01-01' && day < '2100-01-01', 'Enter a date'),
  }),
  output: z.object({}),
})

export const deleteDeadlineCall = defineCall({
  name: 'delete-deadline',
  audience: 'subscriber',
  invalidates,
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
