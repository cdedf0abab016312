import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import { franchisorRules, ruleTopics } from '#shared/domain/franchisor-rules.ts'
import { tryOutcomes } from '#shared/domain/try-outcomes.ts'
import { firstWeekSchema } from './first-week.ts'
import { tryTotalsSchema } from './tries.ts'

/** The reader's state on one item of a page. */
const itemMarkSchema = itemRefSchema.extend({
  saved: z.boolean(),
  /** When it was last saved or removed; null if it never was. */
  savedAt: z.iso.datetime().nullable(),
  readAt: z.iso.datetime().nullable(),
  /** When the reader reached the end of an issue. */
  finishedAt: z.iso.datetime().nullable(),
  /** Id of the section that was in view last. */
  position: z.string().nullable(),
  tried: z.enum(tryOutcomes).nullable(),
  /** How it went for all readers; null below five answers. */
  totals: tryTotalsSchema.nullable(),
  /** Open assignments of this item to the reader. */
  assigned: z.number().int().nonnegative(),
  /** Changes since the reader saved, copied or downloaded it. */
  changed: z.object({ version: z.int32(), changedAt: z.iso.datetime(), note: z.string() }).nullable(),
})
export type ItemMark = z.infer<typeof itemMarkSchema>

/** The state of an item that the reader hasn't touched. */
export const unmarked: Omit<ItemMark, 'kind' | 'id'> = {
  saved: false,
  savedAt: null,
  readAt: null,
  finishedAt: null,
  position: null,
  tried: null,
  totals: null,
  assigned: 0,
  changed: null,
}

const openAssignmentsSchema = z.object({
  count: z.number().int().positive(),
  /** The first by due date. */
  next: z.object({ title: z.string(), dueOn: z.iso.date().nullable(), assignedAt: z.iso.datetime() }),
})
export type OpenAssignments = z.infer<typeof openAssignmentsSchema>

/** The page whose items are asked for: a tab of the portal or one issue with its sections. */
const marksScopeSchema = z.union([
  z.object({ kind: z.enum(['issues', 'prompts', 'guides', 'tools']) }),
  z.object({ kind: z.literal('issue'), slug: z.string().min(1).max(200) }),
])
export type MarksScope = z.infer<typeof marksScopeSchema>

export const itemMarksCall = defineCall({
  name: 'item-marks',
  audience: 'subscriber',
  input: z.object({ scope: marksScopeSchema }),
  output: z.object({
    /** Items without a mark are left out. */
    items: z.array(itemMarkSchema),
    /** True if the reader is on a team, where items can be assigned. */
    canAssign: z.boolean(),
    /** Open assignments to the reader, on all pages; null without any. */
    openAssignments: openAssignmentsSchema.nullable(),
    /** The reader’s first date that is near or passed, and how many there are; null without any. In the scope `issues`. */
    nextDeadline: z.object({ title: z.string(), dueOn: z.iso.date(), count: z.number().int().positive() }).nullish(),
    /** Items that have changed since they were published, or that are valid until a day. */
    versions: z.array(
      itemRefSchema.extend({
        version: z.int32(),
        changedAt: z.iso.datetime(),
        validUntil: z.iso.date().nullable(),
        /** True if that day is over in the publication's time zone. */
        outdated: z.boolean(),
      }),
    ),
    /** The reader's records of the franchisor's rules, in every scope. */
    rules: z.partialRecord(z.enum(ruleTopics), z.enum(franchisorRules)),
    /** The last issue that the reader began and hasn't finished; in the scope `issues`. */
    continueReading: z
      .object({
        slug: z.string(),
        title: z.string(),
        section: z.object({ id: z.string(), heading: z.string() }),
      })
      .nullable(),
    /** Ids of issues that were published after the reader's previous visit and aren't read; in the scope `issues`. */
    newIssues: z.array(z.string()).optional(),
    /** Set in the scope `issues`. */
    firstWeek: firstWeekSchema,
  }),
})
export type ItemMarks = z.infer<typeof itemMarksCall.output>
