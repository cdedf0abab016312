import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import {
  previewSchema,
  readerChoiceSchema,
  testEmailSchema,
  testEmailSentSchema,
} from '#shared/contracts/publishing/mailing-preview.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { seriesEnds, seriesStatuses, seriesStepsSchema, seriesTriggerSchema } from '#shared/domain/series.ts'

const count = z.number().int().nonnegative()
const instant = z.iso.datetime()
const idSchema = z.object({ id: z.uuid() })
const name = z.string().trim().min(1, 'Enter a name').max(80, 'Use at most 80 characters for the name')
const writers = ['owner', 'editor'] as const

const totalsSchema = z.object({ entered: count, inside: count, finished: count, left: count, condition: count })
export type SeriesTotals = z.output<typeof totalsSchema>

const summarySchema = idSchema.extend({
  name: z.string(),
  status: z.enum(seriesStatuses),
  trigger: seriesTriggerSchema,
  emails: count,
  totals: totalsSchema,
})
export type SeriesSummary = z.output<typeof summarySchema>

/** By name. */
export const adminSeriesListCall = defineAdminCall({
  name: 'admin-series-list',
  roles: writers,
  input: z.object({}),
  output: z.object({ items: z.array(summarySchema) }),
})

/** The members behind a number of a step. `left` includes those whom a condition ended. */
export const stepGroups = {
  waiting: 'Waiting',
  sent: 'Sent',
  opened: 'Opened',
  clicked: 'Clicked',
  unsubscribed: 'Unsubscribed',
  pending: 'In the queue',
  not_sent: 'Not sent',
  unknown: 'Unknown',
  waited: 'Went on',
  matched: 'Matched',
  otherwise: 'Didn’t match',
  skipped: 'Skipped',
  done: 'Done',
  left: 'Left here',
} as const
export type StepGroup = keyof typeof stepGroups

/** The members behind a number of the whole series. */
export const seriesGroups = { inside: 'In it now', ...seriesEnds } as const
export type SeriesGroup = keyof typeof seriesGroups

const stepNumbersSchema = z.object({ stepId: z.uuid(), numbers: z.partialRecord(z.enum(keysOf(stepGroups)), count) })

const seriesSchema = summarySchema.extend({
  steps: seriesStepsSchema,
  leavesWhen: memberFilterSchema.nullable(),
  reentryDays: count.nullable(),
  version: z.int32(),
  turnedOnAt: instant.nullable(),
  /** Opens and clicks are counted, for members who allow it. */
  tracking: z.boolean(),
  stepNumbers: z.array(stepNumbersSchema),
  /** The obstacle that keeps members from moving on: a sentence, and the mailing to look at. */
  problems: z.array(z.object({ text: z.string(), mailingId: z.uuid().nullable() })),
})
export type Series = z.output<typeof seriesSchema>

/** One series, with its current numbers. */
export const adminSeriesCall = defineAdminCall({
  name: 'admin-series',
  roles: writers,
  input: idSchema,
  output: seriesSchema,
})

export const minReentryDays = 30

export const seriesDraftSchema = z.object({
  id: z.uuid().nullish(),
  /** The version that was edited; ignored for a new one. */
  version: z.int32().default(0),
  name,
  trigger: seriesTriggerSchema,
  steps: seriesStepsSchema,
  leavesWhen: memberFilterSchema.nullable(),
  reentryDays: z
    .number()
    .int()
    .min(minReentryDays, `Enter at least ${minReentryDays} days`)
    .max(3_650, 'Enter at most 3,650 days')
    .nullable(),
})
export type SeriesDraft = z.input<typeof seriesDraftSchema>

/**
 * Creates a series that is off if `id` is missing. Members who wait in a deleted step go on to the next one. Nothing
 * that was sent is sent again.
 */
/** Requires step-up for a series that is on. */
export const adminSaveSeriesCall = defineAdminCall({
  name: 'admin-save-series',
  roles: writers,
  invalidates: ['admin-series'],
  input: seriesDraftSchema,
  output: z.object({ id: z.uuid(), version: z.int32() }),
})

/** Turns a series on or pauses it. Turning on checks the emails and requires step-up. */
export const adminSetSeriesStatusCall = defineAdminCall({
  name: 'admin-set-series-status',
  roles: writers,
  invalidates: ['admin-series'],
  input: idSchema.extend({ version: z.int32(), status: z.enum(['on', 'paused']) }),
  output: z.object({ status: z.enum(seriesStatuses) }),
})

/** Deletes a series that isn't on. Its emails that were sent stay in the members' history. */
export const adminDeleteSeriesCall = defineAdminCall({
  name: 'admin-delete-series',
  roles: writers,
  invalidates: ['admin-series'],
  input: idSchema,
  output: z.object({}),
})

const memberSchema = z.object({ userId: z.uuid(), email: z.string().nullable(), at: instant.nullable() })

/** A number of a step, or of the whole series. */
export const seriesNumberSchema = z.union([
  z.object({ stepId: z.uuid(), group: z.enum(keysOf(stepGroups)) }),
  z.object({ group: z.enum(keysOf(seriesGroups)) }),
])

/** The members behind a number: of a step, or of the whole series. */
export const adminSeriesMembersCall = defineAdminCall({
  name: 'admin-series-members',
  roles: ['owner', 'support'],
  input: idSchema.extend({
    of: seriesNumberSchema,
    cursor: z.string().max(300).nullish(),
  }),
  output: z.object({ items: z.array(memberSchema), nextCursor: z.string().nullable() }),
})
export type SeriesMembersQuery = z.input<typeof adminSeriesMembersCall.input>

/** Lists what a member would get if they entered now and nothing about them changed. */
export const adminPreviewSeriesCall = defineAdminCall({
  name: 'admin-preview-series',
  roles: ['owner'],
  input: idSchema.extend({ userId: z.uuid() }),
  output: z.object({
    leaves: z.boolean(),
    steps: z.array(z.object({ stepId: z.uuid(), outcome: z.string(), at: instant })),
  }),
})

const stepEmail = idSchema.extend({ stepId: z.uuid() })

/** The saved email of a step, as one reader gets it. */
export const adminPreviewSeriesEmailCall = defineAdminCall({
  name: 'admin-preview-series-email',
  roles: writers,
  input: stepEmail.extend({ as: readerChoiceSchema }),
  output: previewSchema,
})

export const adminTestSeriesEmailCall = defineAdminCall({
  name: 'admin-test-series-email',
  roles: writers,
  input: stepEmail.extend(testEmailSchema.shape),
  output: testEmailSentSchema,
})

function keysOf<Key extends string>(record: Record<Key, unknown>) {
  return Object.keys(record) as [Key, ...Key[]]
}
