import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { dataLabels, franchiseTopics, toolCriteria } from '#shared/domain/content-labels.ts'
import { textFilePath } from '#shared/domain/text-files.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { itemChangeSchema, runStateSchema, stateRuleGroupSchema } from './item-notes.ts'

/** An invented answer with a mistake in it, labeled as such where it is shown. All texts are plain. */
export const promptExampleSchema = z.object({
  vertical: z.enum(verticals),
  /** Input for the blanks. */
  input: z.string(),
  answer: z.string(),
  /** The mistake in the answer, and how the check finds it. */
  mistake: z.string(),
  corrected: z.string(),
})
export type PromptExample = z.infer<typeof promptExampleSchema>

/** `body` has blanks in [square brackets]; see `domain/placeholders.ts`. */
export const promptSchema = z.object({
  id: z.string(),
  title: z.string(),
  when: z.string(),
  level: z.string(),
  /** Including the check of the answer; null if it isn't known. The same for the label. */
  minutes: z.number().int().positive().nullable(),
  dataLabel: z.enum(dataLabels).nullable(),
  focusAreas: z.array(z.string()),
  touches: z.array(z.enum(franchiseTopics)),
  /** Checks for the answer, one line each. */
  checks: z.array(z.string()),
  body: z.string(),
  example: promptExampleSchema.nullable(),
})
export type Prompt = z.infer<typeof promptSchema>

/** A published issue whose text links to a prompt, in the section with that anchor; null in its opening or closing. */
const promptIssueSchema = z.object({
  slug: z.string(),
  number: z.number().int().positive(),
  title: z.string(),
  anchor: z.string().nullable(),
})
export type PromptIssue = z.infer<typeof promptIssueSchema>

/** `issues` has the newest first. */
const listedPromptSchema = promptSchema.extend({
  issues: z.array(promptIssueSchema),
  run: runStateSchema.optional(),
  rules: z.array(stateRuleGroupSchema).default([]),
})
export type ListedPrompt = z.infer<typeof listedPromptSchema>

/** `count` is the number of prompts. */
const promptCategorySchema = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  summary: z.string(),
  count: z.number().int().nonnegative(),
  /** The day its prompts were last checked; null if it isn't known. */
  checkedOn: z.iso.date().nullable(),
  prompts: z.array(listedPromptSchema),
})
export type PromptCategory = z.infer<typeof promptCategorySchema>

export const promptPacksCall = defineCall({
  name: 'prompt-packs',
  audience: 'subscriber',
  forBuyers: true,
  input: z.object({}),
  output: z.object({ categories: z.array(promptCategorySchema) }),
})

/** Prompts of a pack that its page shows before the reader asks for all of them. */
export const sampleCount = 3

/**
 * The packs as their page first shows them: of each, the first prompts in the reader's order. `trade` is the one whose
 * prompts come first, or null. `count` still counts all.
 */
export const promptSamplesCall = defineCall({
  name: 'prompt-samples',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ trade: z.enum(verticals).nullable(), categories: z.array(promptCategorySchema) }),
})

/** Image of one page of a guide. `path` works for an hour or two, for one user. */
const guidePageSchema = z.object({
  path: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
})
export type GuidePage = z.infer<typeof guidePageSchema>

export const guideTypes = ['Playbook', 'Template'] as const

export const guideSchema = z.object({
  id: z.string(),
  type: z.enum(guideTypes),
  title: z.string(),
  description: z.string(),
  downloads: z.number().int().nonnegative(),
  format: z.string(),
  extent: z.string(),
  inside: z.array(z.string()),
  /** Year that the file was built in, and the day its facts were last checked; null if not known. */
  edition: z.number().int().nullable(),
  checkedOn: z.iso.date().nullable(),
  touches: z.array(z.enum(franchiseTopics)),
  /** The cover first; empty if there are none. */
  pages: z.array(guidePageSchema),
  rules: z.array(stateRuleGroupSchema).optional(),
})
export type Guide = z.infer<typeof guideSchema>

export const guidesCall = defineCall({
  name: 'guides',
  audience: 'subscriber',
  forBuyers: true,
  input: z.object({}),
  output: z.object({ guides: z.array(guideSchema) }),
})

/** Counts the download and returns a link that works for a few minutes. */
export const downloadGuideCall = defineCall({
  name: 'download-guide',
  audience: 'subscriber',
  forBuyers: true,
  input: z.object({ id: z.string().min(1).max(200) }),
  output: z.object({ url: z.url(), downloads: z.number().int().positive() }),
})

/** A link to a file or sound in a text, for a reader with access. The files of open texts need none. */
export const openTextFileCall = defineCall({
  name: 'open-text-file',
  audience: 'subscriber',
  input: z.object({ path: z.string().regex(textFilePath) }),
  output: z.object({ url: z.url() }),
})

export const toolSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  /** Null if it isn't rated. */
  rating: z.number().min(0).max(5).nullable(),
  verdict: z.string(),
  description: z.string(),
  useCase: z.string(),
  goodFor: z.array(z.string()),
  watchOut: z.array(z.string()),
  url: z.url({ protocol: /^https$/ }),
  /** A line for each criterion that is known. */
  criteria: z.partialRecord(z.enum(toolCriteria), z.string()),
  /** Empty if there is none. The same for `skipIf`. */
  priceNote: z.string(),
  skipIf: z.string(),
  checkedOn: z.iso.date().nullable(),
  touches: z.array(z.enum(franchiseTopics)),
  /** True if there is a file with test inputs and a score sheet. */
  hasTestSheet: z.boolean(),
  /** Date of the last test, or null. */
  testedOn: z.iso.date().nullable(),
  run: runStateSchema.optional(),
  /** Newest first. */
  changes: z.array(itemChangeSchema).optional(),
})
export type Tool = z.infer<typeof toolSchema>

/** A link to the test sheet that works for a few minutes. */
export const downloadTestSheetCall = defineCall({
  name: 'download-test-sheet',
  audience: 'subscriber',
  input: z.object({ id: z.string().min(1).max(200) }),
  output: z.object({ url: z.url() }),
})

export const toolsCall = defineCall({
  name: 'tools',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ tools: z.array(toolSchema) }),
})
