import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import { maxAssignmentNote, maxAssignmentText, maxAssignmentTitle, maxTargets } from '#shared/domain/assignments.ts'
import {
  hasControlCharacters,
  maxLocations,
  maxValueLength,
  profileVariables,
} from '#shared/domain/business-profile.ts'

const instant = z.iso.datetime()
const dueOn = z.iso
  .date('Enter a date')
  .refine((day) => day >= '2020-01-01' && day < '2101-01-01', 'Enter a date in this century')

const assignmentSchema = z.object({
  /** Null for a text of the team's own. */
  kind: itemRefSchema.shape.kind.nullable(),
  id: itemRefSchema.shape.id.nullable(),
  assignmentId: z.uuid(),
  title: z.string(),
  /** Null without an item, and once readers can't open it anymore. */
  path: z.string().nullable(),
  parentTitle: z.string(),
  to: z.enum(['person', 'location']),
  /** Id of the person or the location; null if it is gone. */
  toId: z.uuid().nullable(),
  /** The person's email address or the location's name; empty if deleted. */
  toName: z.string(),
  /** True for a person who isn't on the team anymore. */
  hasLeft: z.boolean(),
  dueOn: z.iso.date().nullable(),
  note: z.string(),
  /** As it was filled in; empty for the item's own, and once it is done. */
  text: z.string(),
  /** Facts in the text that say something else now. `to` is null for those who can't edit it. */
  changedFacts: z.array(z.object({ name: z.enum(profileVariables), from: z.string(), to: z.string().nullable() })),
  /** Email address; empty if it is gone. */
  createdBy: z.string(),
  createdAt: instant,
  /** Null if it never was. */
  editedAt: instant.nullable(),
  done: z.boolean(),
  /** Email address, or the name entered by someone without an account. */
  doneBy: z.string(),
  /** When it was last checked off or reopened; null if it never was. */
  checkedAt: instant.nullable(),
  /** True if it is for the reader or one of their locations. */
  isMine: z.boolean(),
  canCheckOff: z.boolean(),
  /** True if the reader may edit and remove it. */
  canEdit: z.boolean(),
})
export type Assignment = z.infer<typeof assignmentSchema>

/** The caller's team; null without one. It says nothing about what anyone reads. */
export const teamAssignmentsCall = defineCall({
  name: 'team-assignments',
  audience: 'subscriber',
  input: z.object({}).nullish(),
  output: z.object({
    team: z
      .object({
        isOwner: z.boolean(),
        /** The caller's time zone; null if unknown. */
        timeZone: z.string().nullable(),
        people: z.array(
          z.object({ userId: z.uuid(), email: z.string(), isYou: z.boolean(), locationIds: z.array(z.uuid()) }),
        ),
        /** Those that the caller can assign to. */
        locations: z.array(z.object({ id: z.uuid(), name: z.string() })),
        /** Open ones first, by due date. */
        assignments: z.array(assignmentSchema),
        /** Items that the team collects, newest first. */
        collection: z.array(
          itemRefSchema.extend({
            title: z.string(),
            path: z.string().nullable(),
            parentTitle: z.string(),
            at: instant,
          }),
        ),
      })
      .nullable(),
  }),
})
export type TeamAssignments = NonNullable<z.infer<typeof teamAssignmentsCall.output>['team']>

const target = z.union([z.object({ userId: z.uuid() }), z.object({ locationId: z.uuid() })])
export type AssignmentTarget = z.infer<typeof target>

const plainText = (max: number, name: string) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters`)
    .refine((text) => !hasControlCharacters(text), `Remove the control characters from the ${name}`)
const note = plainText(maxAssignmentNote, 'note')

/**
 * Assigns once, however often it is repeated. Fails with `not_in_team` for a person who isn't on the team (anymore), with
 * `location_not_found`, `not_found` for the content, `no_team` or `too_many_assignments`.
 */
export const assignCall = defineCall({
  name: 'assign',
  audience: 'subscriber',
  input: z.object({
    assignmentId: z.uuid(),
    item: itemRefSchema,
    to: target,
    dueOn: dueOn.nullable(),
    note,
  }),
  output: z.object({ assigned: z.literal(true) }),
})

/** Assigns an item to several people and locations, or none of them. Each gets one email. */
export const assignToSeveralCall = defineCall({
  name: 'assign-to-several',
  audience: 'subscriber',
  input: z
    .object({
      /** Null for a text of the team's own, which needs a title. */
      item: itemRefSchema.nullable(),
      /** Instead of the item's, such as a step of a guide. */
      title: plainText(maxAssignmentTitle, 'title')
        .refine((title) => !title.includes('\n'), 'Use one line for the title')
        .default(''),
      to: z
        .array(
          z.object({
            assignmentId: z.uuid(),
            to: target,
            /** The team's text, or the prompt as it was filled in for the location. */
            text: plainText(maxAssignmentText, 'text').default(''),
            /** What the text says of the location and its business. */
            facts: z.partialRecord(z.enum(profileVariables), z.string().max(maxValueLength)).optional(),
          }),
        )
        .min(1)
        .max(maxTargets),
      dueOn: dueOn.nullable(),
      note,
    })
    .refine(({ item, title }) => item !== null || title !== '', 'Enter what to do'),
  output: z.object({ assigned: z.literal(true) }),
})

/**
 * Replaces person or location, date and note. The newest `at` wins. Fails with `not_found` for those who didn't make it,
 * and like `assign` for a new person or location.
 */
export const editAssignmentCall = defineCall({
  name: 'edit-assignment',
  audience: 'subscriber',
  /** A null `to` leaves the assignee as it is, for a person or location that is gone. */
  input: z.object({ assignmentId: z.uuid(), to: target.nullable(), dueOn: dueOn.nullable(), note, at: instant }),
  /** When the stored values were chosen. */
  output: z.object({ at: instant }),
})

/** Checks off or reopens. The newest `at` wins. Fails with `not_found` for those it isn't for. */
export const checkOffCall = defineCall({
  name: 'check-off',
  audience: 'subscriber',
  input: z.object({ assignmentId: z.uuid(), done: z.boolean(), at: instant }),
  /** The stored state. */
  output: z.object({ done: z.boolean(), at: instant }),
})

/** Removes it, or restores it within a month. The newest `at` wins. Fails with `not_found` for those who didn't make it. */
export const removeAssignmentCall = defineCall({
  name: 'remove-assignment',
  audience: 'subscriber',
  input: z.object({ assignmentId: z.uuid(), removed: z.boolean(), at: instant }),
  /** The stored state. */
  output: z.object({ removed: z.boolean(), at: instant }),
})

/** Replaces the locations of a member's seat. For owners. */
export const tieSeatCall = defineCall({
  name: 'tie-seat',
  audience: 'subscriber',
  input: z.object({ userId: z.uuid(), locationIds: z.array(z.uuid()).max(maxLocations) }),
  output: z.object({ locationIds: z.array(z.uuid()) }),
})

/** Adds an item to the team's collection or takes it out. The newest `at` wins. */
export const teamCollectCall = defineCall({
  name: 'team-collect',
  audience: 'subscriber',
  input: itemRefSchema.extend({ member: z.boolean(), at: instant }),
  output: z.object({ member: z.boolean(), at: instant }),
})
