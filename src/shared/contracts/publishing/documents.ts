import { z } from 'zod'
import { guideTypes } from '#shared/contracts/library/library.ts'
import { optionKeySchema, optionKeysSchema } from '#shared/contracts/reader/option-key.ts'
import { dataLabels, franchiseTopics, toolCriteria } from '#shared/domain/content-labels.ts'
import { sectionKinds } from '#shared/domain/section-kinds.ts'
import { storableText } from '#shared/domain/storable-text.ts'
import { verticals } from '#shared/domain/verticals.ts'

/*
 * Drafts of issues, prompt packs, guides and tools. Incomplete drafts can be saved; publishable.ts has the rules for
 * publishing. Fields with a default are missing in drafts of earlier versions.
 */

export const documentKinds = ['issue', 'prompt-pack', 'guide', 'tool'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** URL segment of each kind, below /admin/content. */
export const contentPaths = {
  issue: 'drops',
  'prompt-pack': 'prompt-packs',
  guide: 'guides',
  tool: 'tools',
} as const satisfies Record<DocumentKind, string>

/** Kinds that can be reordered. Issues are ordered by date. */
export const orderedKinds = ['prompt-pack', 'guide', 'tool'] as const
export type OrderedKind = (typeof orderedKinds)[number]

const line = z.string().max(1_000, 'A line has more than 1,000 characters').transform(storableText)
const text = z.string().max(60_000, 'A text has more than 60,000 characters').transform(storableText)
const lines = z.array(line).max(40)
const words = <const Words extends readonly [string, ...string[]]>(offered: Words) =>
  z.array(z.enum(offered)).max(offered.length)
/** Saved as typed, even if out of range. Publishing reports what is wrong. */
const typedNumber = z.number().min(-1_000_000_000).max(1_000_000_000).nullable()
/** Calendar day, or empty. */
const day = z.iso.date().or(z.literal(''))
const validity = {
  /** The last day it is valid, or empty. */
  validUntil: day.default(''),
  /** Changes since the last version, for readers who kept it. */
  changeNote: line.default(''),
}
/** Generated once and kept by edits, moves and restores: published sections and prompts have the same id. */
const itemId = z.string().regex(/^[a-z0-9-]{1,200}$/)

export const issueSectionDraftSchema = z.object({
  id: itemId,
  heading: line,
  summary: line,
  focusAreas: optionKeysSchema,
  aiLevel: optionKeySchema.nullable(),
  goals: optionKeysSchema,
  franchiseTypes: optionKeysSchema,
  minutes: typedNumber,
  /** Steps of the lead are adjacent and keep their order for every reader. */
  partOfLead: z.boolean().default(false),
  /** Anyone may read it, without an account. */
  openToEveryone: z.boolean().default(false),
  kind: z.enum(sectionKinds).nullable().default(null),
  touches: words(franchiseTopics).default([]),
  ...validity,
  /** Markdown. */
  body: text,
  /** Markdown by trade. */
  examples: z.partialRecord(z.enum(verticals), text).default({}),
})
export type IssueSectionDraft = z.infer<typeof issueSectionDraftSchema>

export const maxSections = 60

export const issueDraftSchema = z.object({
  /** Part of the URL; fixed once published. */
  slug: line,
  title: line,
  date: day,
  preview: line,
  tags: optionKeysSchema,
  /** Its worth, in Markdown. */
  worth: text.default(''),
  intro: text,
  sections: z.array(issueSectionDraftSchema).max(maxSections),
  closing: text,
  /** The question that readers answer before the next issue. */
  question: line.default(''),
  /** A poll of one click: a question and two to five answers, or none. */
  pollQuestion: line.default(''),
  pollAnswers: lines.default([]),
  /** A few words by the editor; plain text. */
  editorNote: line.default(''),
  checkedOn: day.default(''),
})
export type IssueDraft = z.infer<typeof issueDraftSchema>

const promptExampleDraftSchema = z.object({
  vertical: z.enum(verticals).nullable(),
  input: text,
  answer: text,
  mistake: text,
  corrected: text,
})
export type PromptExampleDraft = z.infer<typeof promptExampleDraftSchema>

export const promptDraftSchema = z.object({
  id: itemId,
  title: line,
  when: line,
  level: optionKeySchema.nullable(),
  minutes: typedNumber.default(null),
  dataLabel: z.enum(dataLabels).nullable().default(null),
  focusAreas: optionKeysSchema.default([]),
  touches: words(franchiseTopics).default([]),
  ...validity,
  checks: lines.default([]),
  body: text,
  example: promptExampleDraftSchema.nullable().default(null),
})
export type PromptDraft = z.infer<typeof promptDraftSchema>

export const promptPackDraftSchema = z.object({
  title: line,
  summary: line,
  checkedOn: day.default(''),
  prompts: z.array(promptDraftSchema).max(300),
})
export type PromptPackDraft = z.infer<typeof promptPackDraftSchema>

export const guideDraftSchema = z.object({
  type: z.enum(guideTypes),
  title: line,
  description: text,
  format: line,
  extent: line,
  inside: lines,
  checkedOn: day.default(''),
  touches: words(franchiseTopics).default([]),
  ...validity,
  /** Uploaded file that readers get; null for the file from the content folder, or none. */
  fileVersion: z.int32().positive().nullable(),
  /** Anyone who asks for the free edition may download it. */
  gift: z.boolean().default(false),
})
export type GuideDraft = z.infer<typeof guideDraftSchema>

export const toolDraftSchema = z.object({
  name: line,
  category: line,
  rating: typedNumber,
  verdict: text,
  description: text,
  useCase: text,
  goodFor: lines,
  watchOut: lines,
  url: line,
  criteria: z.partialRecord(z.enum(toolCriteria), text).default({}),
  priceNote: text.default(''),
  skipIf: text.default(''),
  checkedOn: day.default(''),
  touches: words(franchiseTopics).default([]),
  ...validity,
  /** Date of the last test, or empty. */
  testedOn: day,
})
export type ToolDraft = z.infer<typeof toolDraftSchema>

export type Drafts = { issue: IssueDraft; 'prompt-pack': PromptPackDraft; guide: GuideDraft; tool: ToolDraft }
export type Draft = Drafts[DocumentKind]

export const draftSchemas = {
  issue: issueDraftSchema,
  'prompt-pack': promptPackDraftSchema,
  guide: guideDraftSchema,
  tool: toolDraftSchema,
} as const

/** An object with a document of any kind; `kind` decides the type of `document`. */
export const withDocument = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('issue'), document: issueDraftSchema, ...shape }),
    z.object({ kind: z.literal('prompt-pack'), document: promptPackDraftSchema, ...shape }),
    z.object({ kind: z.literal('guide'), document: guideDraftSchema, ...shape }),
    z.object({ kind: z.literal('tool'), document: toolDraftSchema, ...shape }),
  ])

/** Letters that don't decompose. */
const latinLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  đ: 'd',
  ı: 'i',
  ħ: 'h',
}

/** "A week of reviews" as "a-week-of-reviews". Empty for a title without Latin letters or digits. */
export const toSlug = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßøłæœþðđıħ]/g, (letter) => latinLetters[letter] ?? '')
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')

/** Title, or name of a tool. */
export const titleOf = (document: Draft): string => ('name' in document ? document.name : document.title)

/** A new section, which stands alone until the editor makes it part of the lead. */
export const emptySection = (id: string): IssueSectionDraft => ({
  id,
  heading: '',
  summary: '',
  focusAreas: [],
  aiLevel: null,
  goals: [],
  franchiseTypes: [],
  minutes: null,
  partOfLead: false,
  openToEveryone: false,
  kind: null,
  touches: [],
  validUntil: '',
  changeNote: '',
  body: '',
  examples: {},
})

export const emptyPrompt = (id: string): PromptDraft => ({
  id,
  title: '',
  when: '',
  level: null,
  minutes: null,
  dataLabel: null,
  focusAreas: [],
  touches: [],
  validUntil: '',
  changeNote: '',
  checks: [],
  body: '',
  example: null,
})

/** A new document with nothing but a title. */
export function emptyDraft(kind: DocumentKind, title: string): Draft {
  const drafts: Drafts = {
    issue: {
      slug: toSlug(title),
      title,
      date: '',
      preview: '',
      tags: [],
      worth: '',
      intro: '',
      sections: [],
      closing: '',
      question: '',
      pollQuestion: '',
      pollAnswers: [],
      editorNote: '',
      checkedOn: '',
    },
    'prompt-pack': { title, summary: '', checkedOn: '', prompts: [] },
    guide: {
      type: 'Playbook',
      title,
      description: '',
      format: '',
      extent: '',
      inside: [],
      checkedOn: '',
      touches: [],
      validUntil: '',
      changeNote: '',
      fileVersion: null,
      gift: false,
    },
    tool: {
      name: title,
      category: '',
      rating: null,
      verdict: '',
      description: '',
      useCase: '',
      goodFor: [],
      watchOut: [],
      url: '',
      criteria: {},
      priceNote: '',
      skipIf: '',
      checkedOn: '',
      touches: [],
      validUntil: '',
      changeNote: '',
      testedOn: '',
    },
  }
  return drafts[kind]
}
