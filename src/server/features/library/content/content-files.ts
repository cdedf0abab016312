import { z } from 'zod'
import { guideTypes, promptExampleSchema } from '#shared/contracts/library/library.ts'
import { dataLabels, franchiseTopics, toolCriteria } from '#shared/domain/content-labels.ts'
import { maxLeadDays } from '#shared/domain/deadlines.ts'
import { aiLevels, focusAreas, franchiseTypes } from '#shared/domain/preferences.ts'
import { sectionKinds } from '#shared/domain/section-kinds.ts'
import { stateCodes } from '#shared/domain/us-states.ts'
import { verticals } from '#shared/domain/verticals.ts'

/** Schemas of the files in content/. Editors read the messages. */
const text = z.string().trim().min(1, 'must not be empty')
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase words joined by hyphens')
const areas = z.array(z.enum(focusAreas)).min(1, 'must name at least one focus area')
const minutes = z.number().int().positive()
const touches = z
  .array(z.enum(franchiseTopics))
  .refine((topics) => new Set(topics).size === topics.length, 'must name each topic once')
  .default([])
const day = z.iso.date('must be a date such as 2026-11-17')
/** The last day it is valid, and what changed, for readers who kept it. */
const validity = { validUntil: day.nullable().default(null), changeNote: text.max(300).or(z.literal('')).default('') }
const lines = z.array(text).min(1, 'must have at least one line')

const isEmptyOrFull = (examples: object) => [0, verticals.length].includes(Object.keys(examples).length)

const dropSectionSchema = z.strictObject({
  id: slug,
  partOfLead: z.boolean().default(false),
  openToEveryone: z.boolean().default(false),
  kind: z.enum(sectionKinds).nullable().default(null),
  heading: text,
  summary: text,
  focusAreas: areas.max(2, 'must name one or two focus areas'),
  aiLevel: z.enum(aiLevels),
  minutes,
  franchiseTypes: z.array(z.enum(franchiseTypes)).default([]),
  touches,
  ...validity,
  body: text,
  /** All trades or none. */
  examples: z
    .partialRecord(z.enum(verticals), text)
    .refine(isEmptyOrFull, 'must have all seven trades, or none')
    .default({}),
})

export const dropSchema = z.strictObject({
  slug,
  title: text,
  date: day,
  checkedOn: day,
  preview: text.max(180, 'must have at most 180 characters'),
  tags: areas,
  worth: text,
  intro: text,
  sections: z.array(dropSectionSchema).min(1, 'must have at least one section'),
  closing: text,
  question: text.endsWith('?', 'must be a question'),
  pollQuestion: text.default(''),
  pollAnswers: z.array(text).default([]),
  editorNote: text.default(''),
})
export type DropFile = z.infer<typeof dropSchema>

const promptFileSchema = z
  .strictObject({
    id: slug,
    title: text,
    when: text,
    level: z.enum(aiLevels),
    minutes,
    focusAreas: areas.max(2, 'must name one or two focus areas'),
    data: z.enum(dataLabels),
    touches,
    ...validity,
    check: z.array(text).min(2, 'must have two to four lines').max(4, 'must have two to four lines'),
    body: text,
    example: z
      .strictObject({ ...promptExampleSchema.shape, input: text, answer: text, mistake: text, corrected: text })
      .nullable()
      .default(null),
  })
  .transform(({ data, check, ...prompt }) => ({ ...prompt, dataLabel: data, checks: check }))

export const promptCategorySchema = z.strictObject({
  key: slug,
  title: text,
  position: z.number().int().positive(),
  summary: text,
  checkedOn: day,
  prompts: z.array(promptFileSchema).min(1, 'must have at least one prompt'),
})
export type PromptCategoryFile = z.infer<typeof promptCategorySchema>

/** In the order of the page. `downloads` is the initial count. */
export const guidesSchema = z.array(
  z.object({
    id: slug,
    type: z.enum(guideTypes),
    title: text,
    description: text,
    downloads: z.number().int().nonnegative(),
    file: z.string().regex(/^[a-z0-9-]+\.(pdf|docx|xlsx)$/, 'must name a .pdf, .docx or .xlsx file in content/guides'),
    format: text,
    extent: text,
    inside: lines,
    edition: z.number().int().min(2025),
    gift: z.boolean().default(false),
    checkedOn: day,
    touches,
    ...validity,
    pages: z
      .array(z.string().regex(/^[a-z0-9-]+\.webp$/, 'must name a .webp file in content/guides/pages'))
      .min(1, 'must have at least the cover'),
  }),
)

export const toolsSchema = z.array(
  z.strictObject({
    id: slug,
    name: text,
    category: text,
    rating: z.number().min(0).max(5).multipleOf(0.1).nullable().default(null),
    verdict: text,
    description: text,
    useCase: text,
    goodFor: lines,
    watchOut: lines,
    url: z.url({ protocol: /^https$/, error: 'must be an https URL' }),
    criteria: z.record(z.enum(toolCriteria), text),
    priceNote: text,
    skipIf: text,
    checkedOn: day,
    touches,
    ...validity,
    testedOn: day.nullable().default(null),
    testSheet: z
      .string()
      .regex(/^[a-z0-9-]+\.(pdf|docx|xlsx)$/, 'must name a .pdf, .docx or .xlsx file in content/tools'),
  }),
)

const termSchema = z.strictObject({ id: slug, term: text, definition: text, seeAlso: z.array(slug).default([]) })
export const glossarySchema = z.strictObject({ checkedOn: day, terms: z.array(termSchema) })

export const safetySchema = z.strictObject({
  checkedOn: day,
  title: text,
  /** Markdown, as are `why`, `exception` and the texts at the end. */
  intro: text,
  never: z
    .array(z.strictObject({ id: slug, rule: text, why: text, exception: text.or(z.literal('')).default('') }))
    .min(1, 'must have at least one rule'),
  mayGoIn: text,
  decisions: text,
  incidents: text,
})

const startStepSchema = z.strictObject({
  title: text,
  minutes,
  body: text,
  link: z.strictObject({
    label: text,
    path: z.string().regex(/^\/portal\/\S+$/, 'must be a page of the portal, such as /portal/guides#ai-use-policy'),
  }),
})
export const startHereSchema = z.strictObject({
  checkedOn: day,
  intro: text,
  win: startStepSchema,
  policy: startStepSchema,
  pilot: startStepSchema,
})

export const methodSchema = z.strictObject({
  checkedOn: day,
  title: text,
  body: text,
  criteria: z.array(z.strictObject({ key: z.enum(toolCriteria), title: text, body: text })),
})

/** Kinds of dates that readers enter. `leadDays` is what they are suggested. */
export const deadlinesSchema = z.strictObject({
  checkedOn: day,
  kinds: z
    .array(
      z.strictObject({
        id: slug,
        label: text.max(60, 'must have at most 60 characters'),
        leadDays: z.number().int().min(1).max(maxLeadDays),
        yearly: z.boolean().default(false),
        prepare: startStepSchema.shape.link.nullable().default(null),
      }),
    )
    .max(30, 'must have at most 30 kinds'),
})

/** A page of tables. A row without the address of its source is refused. */
export const sourcedPageSchema = z.strictObject({
  path: slug,
  title: text,
  checkedOn: day,
  intro: text,
  columns: z.tuple([text, text]),
  groups: z.array(
    z.strictObject({
      title: text,
      rows: z.array(
        z.strictObject({
          name: text,
          /** States that it concerns, `US` for all. */
          states: z.array(z.enum([...stateCodes, 'US'])).default([]),
          text,
          source: z.url({ protocol: /^https$/, error: 'must be an https URL' }),
          /** Default: the page's. */
          checkedOn: day.optional(),
        }),
      ),
      /** Drops, prompts and guides that show the rows of a reader's states. */
      shownAt: z.array(slug).default([]),
      /** An item “What changed” of a drop that contains one of the names belongs to the group. Without names: the others. */
      names: z.array(text).default([]),
      /** Tools that show what changed. */
      tools: z.array(slug).default([]),
    }),
  ),
})
export type SourcedPage = z.infer<typeof sourcedPageSchema>
export type SourcedPageId = 'states' | 'changes'

const runInputSchema = z.strictObject({ input: text, expect: text, check: text })
/** Prepared runs of prompts. */
export const runsSchema = z.array(
  z.strictObject({ id: slug, inputs: z.array(runInputSchema).length(5, 'must have five inputs') }),
)

/** What an assistant answered in a run, stored by scripts/try-content.ts. */
export const transcriptSchema = z.strictObject({
  id: slug,
  assistant: text,
  on: day,
  tries: z
    .array(runInputSchema.extend({ answer: text, passed: z.boolean(), note: z.string().trim().default('') }))
    .min(1, 'must have at least one try'),
  /** What the editors changed in the prompt or the verdict after it; empty for nothing. */
  changed: z.string().trim().default(''),
})
export type Transcript = z.infer<typeof transcriptSchema>

/** Sources of facts in texts that have no links. */
export const sourcesSchema = z.array(
  z.strictObject({
    /** A tool, a prompt, a guide, a page, a drop, or a section as `slug#section`. */
    at: text,
    facts: lines,
    source: z.url({ protocol: /^https$/, error: 'must be an https URL' }),
    opened: day,
  }),
)

/** Versions of items in another language, for pages without an account. The file's name is the language. */
export const translationsSchema = z.array(
  z.strictObject({
    kind: z.enum(['section', 'prompt']),
    /** Of a prompt, or of a section as `slug--section`. */
    id: z.string().regex(/^[a-z0-9]+(-{1,2}[a-z0-9]+)*$/, 'must be the id of a prompt, or slug--section'),
    /** Fingerprint of the text that was translated. */
    of: z.string().regex(/^[0-9a-f]{16}$/, 'must have 16 digits and letters'),
    /** Who translated it, in the language of the translation. */
    translator: text,
    translatedOn: day,
    title: text,
    /** When to use a prompt, or the summary of a section. */
    lead: text,
    body: text,
    check: z.array(text).default([]),
    /** False: what the prompt asks for is for others, such as customers. */
    answersInLanguage: z.boolean().default(true),
  }),
)
export type TranslationFile = z.infer<typeof translationsSchema>

/** A page for members without a table. */
export const plainPageSchema = z.strictObject({ path: slug, title: text, checkedOn: day, body: text })

/** Ids of the pages for members that the files become. */
export const samplePageIds = {
  states: '5b0f3c52-9d0e-4c1b-a2f4-6f3d1e7a9c01',
  changes: '5b0f3c52-9d0e-4c1b-a2f4-6f3d1e7a9c02',
  runs: '5b0f3c52-9d0e-4c1b-a2f4-6f3d1e7a9c03',
  cases: '5b0f3c52-9d0e-4c1b-a2f4-6f3d1e7a9c04',
} as const
export type SamplePageId = keyof typeof samplePageIds

/** By id, which is also the file's name. */
export const pageSchemas = {
  glossary: glossarySchema,
  safety: safetySchema,
  'start-here': startHereSchema,
  method: methodSchema,
  deadlines: deadlinesSchema,
} as const
export type PageId = keyof typeof pageSchemas
export type PageFiles = { [Id in PageId]: z.infer<(typeof pageSchemas)[Id]> }

export const pageFile = (id: PageId | SourcedPageId) => `${id}.yaml`

export type ContentFiles = {
  drops: DropFile[]
  categories: PromptCategoryFile[]
  guides: z.infer<typeof guidesSchema>
  /** The text of each file that members download, by its name. */
  guideTexts: ReadonlyMap<string, string>
  tools: z.infer<typeof toolsSchema>
  pages: PageFiles
  sourcedPages: Record<SourcedPageId, SourcedPage>
  runs: z.infer<typeof runsSchema>
  transcripts: Transcript[]
  cases: z.infer<typeof plainPageSchema>
  sources: z.infer<typeof sourcesSchema>
  /** By language. */
  translations: Record<string, TranslationFile>
}
