import { z } from 'zod'
import { issueSchema, issueSectionSchema } from './issues.ts'
import { guideSchema, promptSchema, toolSchema } from './library.ts'

/** A piece of a guide's first page. */
const excerptBlockSchema = z.object({ kind: z.enum(['heading', 'text', 'point']), text: z.string() })
export type ExcerptBlock = z.infer<typeof excerptBlockSchema>

/** Samples on the landing page: at most one per kind, or null if nothing of the kind is published. */
export const landingSamplesSchema = z.object({
  drop: issueSchema
    .pick({ slug: true, title: true, date: true, tags: true, preview: true })
    .extend({
      /** Everyone may read all of it. */
      isWhole: z.boolean(),
      sections: z.array(
        issueSectionSchema.omit({
          id: true,
          summary: true,
          html: true,
          examplesHtml: true,
          goals: true,
          franchiseTypes: true,
          touches: true,
        }),
      ),
      /** First paragraph of one section; null if no section open to everyone starts with a paragraph. */
      opening: z.object({ heading: z.string(), paragraph: z.string() }).nullable(),
    })
    .nullable(),
  /** `body` has its placeholders as readers see them. */
  prompt: promptSchema
    .pick({ title: true, when: true, body: true })
    .extend({ category: z.string(), categoryCount: z.number().int() })
    .nullable(),
  guide: guideSchema
    .pick({ type: true, title: true, format: true, extent: true, inside: true })
    .extend({ firstLines: z.array(excerptBlockSchema) })
    .nullable(),
  /** Number of prompts in all published packs. */
  promptCount: z.number().int(),
  tool: toolSchema
    .pick({ name: true, category: true, rating: true, verdict: true, goodFor: true, watchOut: true })
    .nullable(),
})
export type LandingSamples = z.infer<typeof landingSamplesSchema>

const titled = z.object({ title: z.string(), text: z.string() })

/** The publisher's texts of the landing page, ready to show. */
export const landingTextsSchema = z.object({
  hero: titled.extend({ note: z.string() }),
  samples: z.object({ title: z.string(), drops: titled, prompts: titled, guides: titled, tools: titled }),
  plans: titled.extend({ benefits: z.array(z.string()) }),
  faq: z.object({ title: z.string(), questions: z.array(z.object({ question: z.string(), answer: z.string() })) }),
})
export type LandingTexts = z.infer<typeof landingTextsSchema>

/** Data that the landing page is rendered with. */
export const landingContentSchema = landingSamplesSchema.extend({
  texts: landingTextsSchema,
  /** Who writes, once the publisher has said so. */
  editor: z.string().nullable(),
})
export type LandingContent = z.infer<typeof landingContentSchema>

/** Samples to show while they are published, and the first lines of guides from the content folder. */
export const sampleChoiceSchema = z.object({
  drop: z.object({ slug: z.string(), section: z.string() }),
  promptId: z.string(),
  guideId: z.string(),
  toolId: z.string(),
  firstLines: z.record(z.string(), z.array(excerptBlockSchema)),
})
export type SampleChoice = z.infer<typeof sampleChoiceSchema>
