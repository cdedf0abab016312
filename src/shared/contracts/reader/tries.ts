import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import { maxMinutesPerWeek, tryOutcomes } from '#shared/domain/try-outcomes.ts'
import { noteText } from './note-text.ts'

/** Items that readers can try. */
export const triedKinds = ['section', 'prompt'] as const
export type TriedKind = (typeof triedKinds)[number]

export const maxNoteLength = 2_000
export const maxWageCents = 100_000

export const triedItemSchema = itemRefSchema.extend({ kind: z.enum(triedKinds) })
export type TriedItem = z.infer<typeof triedItemSchema>

/** An item in a list, with a link to it. */
const listedItemSchema = triedItemSchema.extend({
  title: z.string(),
  /** Null once readers can't open it anymore. */
  path: z.string().nullable(),
})

const at = z.iso.datetime()
const count = z.number().int().nonnegative()
const minutes = z.number().int().min(0).max(maxMinutesPerWeek).nullable()

const answer = {
  outcome: z.enum(tryOutcomes),
  /** Saved per week; null if the reader doesn't know. */
  minutesPerWeek: minutes,
  note: noteText(maxNoteLength),
  /** True if the publisher may read the note. */
  shared: z.boolean(),
}
const answerSchema = z.object({ ...answer, note: z.string() })
export type TryAnswer = z.infer<typeof answerSchema>

export const tryTotalsSchema = z.object({ worked: count, workedWithChanges: count, didNotWork: count })
export type TryTotals = z.infer<typeof tryTotalsSchema>

const tryState = z.object({
  answer: answerSchema.nullable(),
  /** When the answer was given or removed; null before the first one. A change carries a later time. */
  changedAt: z.iso.datetime().nullable(),
  /** True if the reader is asked a week after starting. */
  reminded: z.boolean(),
  /** Totals of all readers; null below five answers. */
  totals: tryTotalsSchema.nullable(),
})
export type TryState = z.infer<typeof tryState>

/** A reader's answer about an item, for the form. */
export const readTryCall = defineCall({
  name: 'read-try',
  audience: 'subscriber',
  input: triedItemSchema,
  output: tryState.extend(listedItemSchema.pick({ title: true, path: true }).shape),
})
export type ReadTry = z.infer<typeof readTryCall.output>

/** Records how it went. The answer with the newest `at` wins, so changes made offline can arrive late or twice. */
export const recordTryCall = defineCall({
  name: 'record-try',
  audience: 'subscriber',
  input: triedItemSchema.extend({ at, ...answer }),
  output: tryState,
})

/** Removes the answers given until `at`, also from the value page. */
export const removeTryCall = defineCall({
  name: 'remove-try',
  audience: 'subscriber',
  input: triedItemSchema.extend({ at }),
  output: tryState,
})

/** The reader copied a prompt or asked for a reminder. A week later, one email asks how it went. */
export const startTryCall = defineCall({
  name: 'start-try',
  audience: 'subscriber',
  input: triedItemSchema.extend({ at }),
  output: tryState,
})

/** How an item worked for groups of at least five readers. */
const groupSchema = z.object({ name: z.string(), ...tryTotalsSchema.shape })
export type TryGroup = z.infer<typeof groupSchema>
const tryBreakdownSchema = z.object({
  trades: z.array(groupSchema),
  levels: z.array(groupSchema),
  plans: z.array(groupSchema),
  /** Counts only readers who entered minutes; null below five. */
  minutes: z.object({ median: count, readers: count }).nullable(),
})
export type TryBreakdown = z.infer<typeof tryBreakdownSchema>

const pageInput = z.object({
  cursor: z.string().max(300).nullish(),
  limit: z.number().int().min(1).max(100).optional(),
})
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** Items with at least five answers, those with the most answers first. */
export const adminTriesCall = defineAdminCall({
  name: 'admin-tries',
  roles: ['owner', 'editor'],
  input: pageInput,
  output: pageOf(listedItemSchema.extend({ totals: tryTotalsSchema, breakdown: tryBreakdownSchema.nullable() })),
})
export type TriedItemReport = z.infer<typeof adminTriesCall.output>['items'][number]

/** Notes that readers share, newest first. They name no reader. */
export const adminSharedNotesCall = defineAdminCall({
  name: 'admin-shared-notes',
  roles: ['owner', 'editor'],
  input: pageInput,
  output: pageOf(
    listedItemSchema.extend({ outcome: z.enum(tryOutcomes), note: z.string(), sharedAt: z.iso.datetime() }),
  ),
})
export type SharedNote = z.infer<typeof adminSharedNotesCall.output>['items'][number]

const wageSchema = z.object({
  /** Per hour. */
  cents: z.number().int().min(0).max(maxWageCents),
  currency: z.string(),
})

/** Sums up what a reader's tries were worth in a year, and what was paid. */
export const readerValueCall = defineCall({
  name: 'reader-value',
  audience: 'subscriber',
  input: z.object({ year: z.number().int().min(2000).max(2999) }),
  output: z.object({
    year: z.number().int(),
    /** The years that the page can show: from the account's first to the present one. */
    firstYear: z.number().int(),
    thisYear: z.number().int(),
    /** Up to which day minutes are counted; the day itself isn't included. */
    until: z.iso.date(),
    items: z.array(
      listedItemSchema.extend({
        outcome: z.enum(tryOutcomes),
        /** The state at the end of the period. */
        minutesPerWeek: minutes,
        /** Days that count, up to and without `until`. */
        since: z.iso.date(),
        days: count,
        minutes: count,
      }),
    ),
    minutes: count,
    wage: wageSchema.nullable(),
    /** Paid invoices of the year less refunds, by currency. */
    paid: z.array(z.object({ currency: z.string(), cents: z.number().int(), invoices: count })),
    /** Who pays for the reader's access now. */
    paidBy: z.enum(['reader', 'team-owner', 'no-one']),
  }),
})
export type ReaderValue = z.infer<typeof readerValueCall.output>

/** The newest `at` wins. */
export const saveWageCall = defineCall({
  name: 'save-wage',
  audience: 'subscriber',
  input: z.object({ cents: wageSchema.shape.cents.nullable(), at }),
  output: z.object({ wage: wageSchema.nullable() }),
})
