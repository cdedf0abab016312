import { z } from 'zod'
import { guideTypes } from '#shared/contracts/library.ts'
import { aiLevels, focusAreas } from '#shared/domain/preferences.ts'

/** Schemas of the files in content/. Editors read the messages. */
const text = z.string().trim().min(1, 'must not be empty')
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase words joined by hyphens')
const areas = z.array(z.enum(focusAreas)).min(1, 'must name at least one focus area')
const minutes = z.number().int().positive()
const lines = z.array(text).min(1, 'must have at least one line')

export const dropSchema = z.object({
  slug,
  title: text,
  date: z.iso.date('must be a date such as 2026-11-17'),
  preview: text.max(180, 'must have at most 180 characters'),
  tags: areas,
  intro: text,
  sections: z
    .array(
      z.object({
        id: slug,
        heading: text,
        summary: text,
        focusAreas: areas.max(2, 'must name one or two focus areas'),
        aiLevel: z.enum(aiLevels),
        minutes,
        body: text,
      }),
    )
    .min(1, 'must have at least one section'),
  closing: text,
})
export type DropFile = z.infer<typeof dropSchema>

export const promptCategorySchema = z.object({
  key: slug,
  title: text,
  position: z.number().int().positive(),
  summary: text,
  prompts: z
    .array(z.object({ id: slug, title: text, when: text, level: z.enum(aiLevels), body: text }))
    .min(1, 'must have at least one prompt'),
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
  }),
)

export const toolsSchema = z.array(
  z.object({
    id: slug,
    name: text,
    category: text,
    rating: z.number().min(0).max(5).multipleOf(0.1),
    verdict: text,
    description: text,
    useCase: text,
    goodFor: lines,
    watchOut: lines,
    url: z.url({ protocol: /^https$/, error: 'must be an https URL' }),
    testedOn: z.iso.date('must be a date such as 2026-11-17').optional(),
  }),
)

export type ContentFiles = {
  drops: DropFile[]
  categories: PromptCategoryFile[]
  guides: z.infer<typeof guidesSchema>
  tools: z.infer<typeof toolsSchema>
}
