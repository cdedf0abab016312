import { z } from 'zod'
import { aiLevels } from '../domain/preferences.ts'
import { defineCall } from './define-call.ts'

/** `body` has placeholders in [square brackets]. */
export const promptSchema = z.object({
  id: z.string(),
  title: z.string(),
  when: z.string(),
  level: z.enum(aiLevels),
  body: z.string(),
})
export type Prompt = z.infer<typeof promptSchema>

/** `count` is the number of prompts. */
const promptCategorySchema = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  summary: z.string(),
  count: z.number().int().nonnegative(),
  prompts: z.array(promptSchema),
})
export type PromptCategory = z.infer<typeof promptCategorySchema>

export const promptPacksCall = defineCall({
  name: 'prompt-packs',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ categories: z.array(promptCategorySchema) }),
})

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
})
export type Guide = z.infer<typeof guideSchema>

export const guidesCall = defineCall({
  name: 'guides',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ guides: z.array(guideSchema) }),
})

/** Counts the download and returns a link that works for a few minutes. */
export const downloadGuideCall = defineCall({
  name: 'download-guide',
  audience: 'subscriber',
  input: z.object({ id: z.string().min(1).max(200) }),
  output: z.object({ url: z.url(), downloads: z.number().int().positive() }),
})

export const toolSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  rating: z.number().min(0).max(5),
  verdict: z.string(),
  description: z.string(),
  useCase: z.string(),
  goodFor: z.array(z.string()),
  watchOut: z.array(z.string()),
  url: z.url({ protocol: /^https$/ }),
  /** Date of the last test, or null. */
  testedOn: z.iso.date().nullable(),
})
export type Tool = z.infer<typeof toolSchema>

export const toolsCall = defineCall({
  name: 'tools',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ tools: z.array(toolSchema) }),
})
