import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import {
  hasControlCharacters,
  locationVariables,
  maxAnswerLength,
  maxAnswersPerPrompt,
  maxLocationNameLength,
  maxValueLength,
  profileVariables,
} from '#shared/domain/business-profile.ts'

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `Use at most ${maxLength.toLocaleString('en-US')} characters`)
    .refine((value) => !hasControlCharacters(value), 'Remove the control characters from the text')
    .transform((value) => value.replaceAll(/\r\n?/g, '\n').trim())

const change = (to: z.ZodType<string, string>) => z.object({ from: text(maxValueLength), to })

const profileValuesSchema = z.partialRecord(z.enum(profileVariables), z.string())

/** `shared`: members of the owner’s team may read it. `mine` is false for locations of the reader’s team. */
const locationSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  values: z.partialRecord(z.enum(locationVariables), z.string()),
  shared: z.boolean(),
  mine: z.boolean(),
})
export type BusinessLocation = z.infer<typeof locationSchema>

/** Values for the blanks of prompts. Private: they never appear in logs, and only their owner receives them. */
export const businessProfileCall = defineCall({
  name: 'business-profile',
  audience: 'subscriber',
  input: z.object({}).nullish(),
  output: z.object({
    values: profileValuesSchema,
    /** Own ones first, in the order in which they were added. */
    locations: z.array(locationSchema),
    /** By prompt and blank (`blankKey`). */
    answers: z.record(z.string(), z.record(z.string(), z.string())),
  }),
})
export type BusinessProfile = z.infer<typeof businessProfileCall.output>

/**
 * Each change names the text that it replaces. Fails with `edit_conflict`, the `values` and the names in conflict as
 * `conflicts`, if another tab or device has changed one of them; then nothing is saved.
 */
export const saveBusinessProfileCall = defineCall({
  name: 'save-business-profile',
  audience: 'subscriber',
  input: z.object({ changes: z.partialRecord(z.enum(profileVariables), change(text(maxValueLength))) }),
  output: z.object({ values: profileValuesSchema }),
})

/**
 * Adds the location if the id is new; then it needs a name. Fails with `edit_conflict` and the stored `location`, with
 * `name_taken`, `too_many_locations`, or with `location_not_found` once it was deleted.
 */
export const saveLocationCall = defineCall({
  name: 'save-location',
  audience: 'subscriber',
  input: z.object({
    id: z.uuid(),
    name: change(text(maxLocationNameLength).pipe(z.string().min(1, 'Enter a name'))).optional(),
    changes: z.partialRecord(z.enum(locationVariables), change(text(maxValueLength))).default({}),
    shared: z.boolean().optional(),
  }),
  output: z.object({ location: locationSchema }),
})

/** `deleted` is false if it was deleted before. */
export const deleteLocationCall = defineCall({
  name: 'delete-location',
  audience: 'subscriber',
  input: z.object({ id: z.uuid() }),
  output: z.object({ deleted: z.boolean() }),
})

/** Remembers answers to the blanks of one prompt; an empty text forgets. The newest `at` of each blank wins. */
export const rememberAnswersCall = defineCall({
  name: 'remember-answers',
  audience: 'subscriber',
  input: z.object({
    /** A prompt’s id, or for a prompt quoted in a drop the section’s id and its number there. */
    promptId: z.string().min(1).max(200),
    at: z.iso.datetime(),
    answers: z
      .record(z.string().min(1).max(300), text(maxAnswerLength))
      .refine((answers) => Object.keys(answers).length <= maxAnswersPerPrompt, 'Too many answers for one prompt'),
  }),
  output: z.object({ remembered: z.literal(true) }),
})
