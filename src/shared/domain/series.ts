import { z } from 'zod'
import { memberTagSchema } from '#shared/contracts/operations/member-tags.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { fieldValueSchema } from '#shared/contracts/reader/custom-fields.ts'
import { memberFilterSchema } from './member-filter.ts'

/*
 * A series: what makes a member enter, the steps, and when someone leaves early. The rules for moving through the steps
 * are in advance-series.ts.
 */

export const seriesStatuses = ['off', 'on', 'paused'] as const
export type SeriesStatus = (typeof seriesStatuses)[number]

/** Triggers that the server's code records when they happen, in the same transaction. */
export const seriesEventKinds = ['free_sign_up', 'paid_start', 'plan_ended', 'payment_failed', 'tried'] as const
export type SeriesEventKind = (typeof seriesEventKinds)[number]

/** Groups of members that a series can wait for: views of the members list, and segments. */
export const seriesSegmentKinds = ['view', 'segment'] as const
export type SeriesSegment = { of: (typeof seriesSegmentKinds)[number]; id: string }

const triggerDays = z.number().int().min(1, 'Enter at least 1 day').max(365, 'Enter at most 365 days')

export const seriesTriggerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(seriesEventKinds) }),
  /** Starts so many days before Stripe renews the plan. */
  z.object({ kind: z.literal('before_renewal'), days: triggerDays }),
  /** Starts after so many days without a sign-in, or an open or click where those are counted. */
  z.object({ kind: z.literal('inactive'), days: triggerDays }),
  /** A database trigger records it. */
  z.object({ kind: z.literal('tag_set'), tag: memberTagSchema }),
  /** A database trigger records it. A field of the publisher gets the value, or any other than before if it is null. */
  z.object({
    kind: z.literal('field_set'),
    field: z.number().int().positive('Choose a field'),
    value: z.string().trim().min(1, 'Enter a value').max(200).nullable(),
  }),
  z.object({
    kind: z.literal('joined_segment'),
    of: z.enum(seriesSegmentKinds),
    id: z.uuid('Choose a view or segment'),
  }),
])
export type SeriesTrigger = z.output<typeof seriesTriggerSchema>

export const maxSeriesSteps = 30
export const maxSeriesText = 50_000

const id = z.uuid()
const emailStep = z.object({
  kind: z.literal('email'),
  id,
  subject: z.string().trim().min(1, 'Enter a subject').max(200, 'Use at most 200 characters for the subject'),
  preheader: z.string().trim().max(200, 'Use at most 200 characters for the preview text'),
  /** Markdown, with merge fields. */
  body: z.string().trim().min(1, 'Write the email').max(maxSeriesText, 'Use at most 50,000 characters for the text'),
  /** Sent as this newsletter, to its subscribers; null for product news. */
  newsletterId: z.number().int().positive().max(1_000_000).nullable().default(null),
})
export type EmailStep = z.output<typeof emailStep>

const stepSchemaWith = <Filter extends z.ZodType>(filter: Filter) =>
  z.discriminatedUnion('kind', [
    emailStep,
    z.object({
      kind: z.literal('wait'),
      id,
      amount: z.number().int().min(1, 'Wait at least 1').max(365, 'Wait at most 365'),
      unit: z.enum(['hours', 'days']),
    }),
    z.object({
      kind: z.literal('until'),
      id,
      /** 0 is Sunday; null is any day. */
      weekday: z.number().int().min(0).max(6).nullable(),
      hour: z.number().int().min(0).max(23),
    }),
    z.object({
      kind: z.literal('condition'),
      id,
      filter,
      /** For members who don't match: `skip` leaves out the step after this one. */
      otherwise: z.enum(['end', 'skip']),
    }),
    z.object({ kind: z.literal('tag'), id, tag: memberTagSchema, change: z.enum(['add', 'remove']) }),
    /** Sets a field of the publisher, or removes its value if null. `readFieldStep` checks it. */
    z.object({
      kind: z.literal('field'),
      id,
      field: z.number().int().positive('Choose a field').max(1_000_000),
      value: fieldValueSchema.nullable(),
    }),
    /** Sends `series.step_reached` to the webhooks that want it. */
    z.object({ kind: z.literal('webhook'), id }),
  ])
const stepSchema = stepSchemaWith(memberFilterSchema)
export type SeriesStep = z.output<typeof stepSchema>
export type StepKind = SeriesStep['kind']
export type FieldStep = Extract<SeriesStep, { kind: 'field' }>

export const seriesStepsSchema = z
  .array(stepSchema)
  .max(maxSeriesSteps, `Use at most ${maxSeriesSteps} steps`)
  .refine((steps) => new Set(steps.map((step) => step.id)).size === steps.length, 'Two steps have the same id')

/** Steps with the deleted ones, in the place that they had. */
export const storedStepsSchema = z.array(
  // A filter that refers to something that no longer exists is null and matches no one.
  z.intersection(
    stepSchemaWith(memberFilterSchema.nullable().catch(null)),
    z.object({ removed: z.boolean().optional() }),
  ),
)
export type StoredStep = z.output<typeof storedStepsSchema>[number]

/** Why a member's way through a series ended. */
export const seriesEnds = {
  finished: 'Finished',
  left: 'Left early',
  condition: 'Ended by a condition',
} as const
export type SeriesEnd = keyof typeof seriesEnds

/**
 * `sent`: the email was handed to the sender, whose delivery says what came of it. `skipped`: a condition left the step
 * out, or its field can't be set.
 */
export type StepOutcome = 'sent' | 'waited' | 'matched' | 'otherwise' | 'skipped' | 'done'

/**
 * New steps with the deleted ones of the former version kept in place: each follows the step that it followed before, so
 * that whoever waits in it continues with what comes next.
 */
export function keepRemoved(former: readonly StoredStep[], steps: readonly SeriesStep[]): StoredStep[] {
  const kept: StoredStep[] = [...steps]
  const isKept = new Set(steps.map((step) => step.id))
  let after = -1
  for (const step of former) {
    if (isKept.has(step.id)) {
      after = kept.findIndex((other) => other.id === step.id)
      continue
    }
    after += 1
    kept.splice(after, 0, { ...step, removed: true })
  }
  return kept
}

/** Content of an email step. */
export const seriesEmailContent = ({
  subject,
  preheader,
  body,
}: Pick<EmailStep, 'subject' | 'preheader' | 'body'>): MailingContent => ({
  kind: 'series',
  subject,
  preheader,
  title: subject,
  date: null,
  worth: '',
  intro: body,
  sections: [],
  closing: '',
  question: '',
  path: null,
})
