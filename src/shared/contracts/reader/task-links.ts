import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { maxTargets } from '#shared/domain/assignments.ts'
import { hasControlCharacters } from '#shared/domain/business-profile.ts'
import { crewLanguages, maxCrewName } from '#shared/domain/task-links.ts'

const assignmentIds = z.array(z.uuid()).min(1).max(maxTargets)
const instant = z.iso.datetime()

const sheetSchema = z.object({
  assignmentId: z.uuid(),
  title: z.string(),
  /** The location or person. */
  toName: z.string(),
  crew: z.string(),
  dueOn: z.iso.date().nullable(),
  url: z.url(),
  /** As a data URL. */
  qr: z.string(),
  /** To send with the link, in its language; in all languages if the phone decides. */
  message: z.string(),
  /** What stands below the code on paper, by language. */
  scan: z.array(z.object({ language: z.enum(crewLanguages), text: z.string() })),
})
export type TaskSheet = z.infer<typeof sheetSchema>

/**
 * Makes a link to each assignment for people without an account, or changes the one that it has. One that ended gets a new
 * address. Repeating it changes nothing. Fails with `not_found` for assignments that the caller may not edit.
 */
export const makeTaskLinksCall = defineCall({
  name: 'make-task-links',
  audience: 'subscriber',
  invalidates: ['task-links'],
  input: z.object({
    assignmentIds,
    crew: z
      .string()
      .trim()
      .max(maxCrewName, `Use at most ${maxCrewName} characters`)
      .refine((text) => !hasControlCharacters(text) && !/[\n\t]/.test(text), 'Use one line for the crew'),
    /** Null: that of the phone. */
    language: z.enum(crewLanguages).nullable(),
    /** The last day on which the links work. */
    validUntil: z.iso.date('Enter a date'),
  }),
  output: z.object({ sheets: z.array(sheetSchema) }),
})

/** Links that work, to send and to print. Leaves out the others. */
export const taskSheetsCall = defineCall({
  name: 'task-sheets',
  audience: 'subscriber',
  input: z.object({ assignmentIds }),
  output: z.object({ sheets: z.array(sheetSchema) }),
})

const taskLinkSchema = z.object({
  assignmentId: z.uuid(),
  crew: z.string(),
  language: z.enum(crewLanguages).nullable(),
  expiresAt: instant,
  works: z.boolean(),
  /** Names that were entered; an empty one stands for everyone who entered none. */
  opened: z.array(z.object({ name: z.string(), firstAt: instant })),
  answers: z.array(
    z.object({
      answerId: z.uuid(),
      kind: z.enum(['done', 'question']),
      name: z.string(),
      text: z.string(),
      number: z.string(),
      /** `deleted` after 90 days. */
      photo: z.enum(['kept', 'deleted']).nullable(),
      at: instant,
    }),
  ),
})
export type TaskLink = z.infer<typeof taskLinkSchema>

/** The links of the assignments that the caller may edit, with what came back by them. */
export const taskLinksCall = defineCall({
  name: 'task-links',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ links: z.array(taskLinkSchema) }),
})

/** Ends the links to these assignments, also for those who have them on paper. */
export const endTaskLinksCall = defineCall({
  name: 'end-task-links',
  audience: 'subscriber',
  invalidates: ['task-links'],
  input: z.object({ assignmentIds }),
  output: z.object({ ended: z.number() }),
})

/** A photo that was sent with a check-off, as a data URL. For the team's owner; anyone else gets `not_found`. */
export const taskPhotoCall = defineCall({
  name: 'task-photo',
  audience: 'subscriber',
  input: z.object({ answerId: z.uuid() }),
  output: z.object({ image: z.string() }),
})
