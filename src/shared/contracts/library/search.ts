import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { searchKinds } from '#shared/domain/content-items.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { issueSchema } from './issues.ts'

/** Longer queries are rejected. Only the first words of a long query count. */
export const maxQueryLength = 10_000

const some = <const Words extends readonly [string, ...string[]]>(offered: Words) =>
  z.array(z.enum(offered)).max(offered.length).default([])

/** Calls that aren't made by a form check the format alone; an option that doesn't exist finds nothing. */
const optionKey = z.string().regex(/^[\p{L}\p{N} &_-]{1,60}$/u)

/** An empty list doesn't filter. An item matches a list if it has one of the values. */
const searchFiltersSchema = z.object({
  kinds: some(searchKinds),
  /** Keys of options. */
  focusAreas: z.array(optionKey).max(120).default([]),
  levels: z.array(optionKey).max(120).default([]),
  verticals: some(verticals),
  /** Limits the search to what the reader has saved. */
  saved: z.boolean().default(false),
  /** Limits the search to what the reader has answered about. */
  tried: z.boolean().default(false),
})
export type SearchFilters = z.output<typeof searchFiltersSchema>

/** Plain text with the ranges that matched, as [start, end). */
const markedTextSchema = z.object({
  text: z.string(),
  marks: z.array(z.tuple([z.number().int().nonnegative(), z.number().int().positive()])),
})
export type MarkedText = z.infer<typeof markedTextSchema>

const searchResultSchema = z.object({
  kind: z.enum(searchKinds),
  id: z.string(),
  /** Page and anchor in the portal. */
  path: z.string(),
  title: markedTextSchema,
  excerpt: markedTextSchema,
  /** Title of the drop or pack, type of a guide, category of a tool; empty for drops. */
  parentTitle: z.string(),
  /** Day of the drop; null for other kinds. */
  day: z.iso.date().nullable(),
  level: z.string().nullable(),
})
export type SearchResult = z.infer<typeof searchResultSchema>

export const searchCall = defineCall({
  name: 'search',
  audience: 'subscriber',
  forBuyers: true,
  input: searchFiltersSchema.extend({
    query: z.string().max(maxQueryLength),
    /** True while the reader types, so that the last word may be incomplete. */
    isTyping: z.boolean().default(false),
    limit: z.int().min(1).max(50).default(20),
    /** From the previous page of the same search. */
    cursor: z.string().max(10).nullable().default(null),
  }),
  output: z.object({
    /** The best first. */
    items: z.array(searchResultSchema),
    /** Number of results of each kind, before the filter by kind. */
    counts: z.partialRecord(z.enum(searchKinds), z.number().int().positive()),
    /** Words of the query that were read as another word. */
    corrections: z.array(z.object({ from: z.string(), to: z.string() })),
    nextCursor: z.string().nullable(),
  }),
})
export type SearchAnswer = z.infer<typeof searchCall.output>

/** "2026-11". */
const monthSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')

export const archiveCall = defineCall({
  name: 'archive',
  audience: 'subscriber',
  input: z.object({
    month: monthSchema.nullable().default(null),
    tag: optionKey.nullable().default(null),
  }),
  output: z.object({
    /** Newest first. */
    issues: z.array(issueSchema.pick({ id: true, slug: true, title: true, date: true, preview: true, tags: true })),
    /** Months with drops of the tag, newest first. */
    months: z.array(z.object({ month: monthSchema, count: z.number().int().positive() })),
    /** Counts the drops of the month by tag. */
    tags: z.array(z.object({ tag: z.string(), count: z.number().int().positive() })),
  }),
})
export type Archive = z.infer<typeof archiveCall.output>
