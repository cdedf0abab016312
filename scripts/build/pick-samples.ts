import { z } from 'zod'
import {
  type LandingContent,
  landingSamplesSchema,
  type SampleChoice,
} from '../../src/shared/contracts/library/landing-samples.ts'
import { guideTypes } from '../../src/shared/contracts/library/library.ts'
import { composeLandingTexts } from '../../src/shared/domain/landing-texts.ts'
import { canReadSection, canReadWhole, visitor } from '../../src/shared/domain/open-sections.ts'
import { openingParagraph } from '../../src/shared/domain/opening-paragraph.ts'
import { showPlaceholders } from '../../src/shared/domain/placeholders.ts'
import { aiLevels, focusAreas } from '../../src/shared/domain/preferences.ts'
import { readExcerpt } from '../../src/shared/domain/read-excerpt.ts'
import { sectionKinds } from '../../src/shared/domain/section-kinds.ts'
import { publicationDefaults } from '../../src/shared/publication-defaults.ts'

const excerptBlocks = 6

/* The fields of the content files that the landing page needs. */
const areas = z.array(z.enum(focusAreas))
const choiceSchema = z.object({
  drop: z.object({ slug: z.string(), section: z.string() }),
  promptId: z.string(),
  guideId: z.string(),
  toolId: z.string(),
})
const dropSchema = z.object({
  slug: z.string(),
  title: z.string(),
  date: z.union([z.string(), z.date().transform((day) => day.toISOString().slice(0, 10))]),
  preview: z.string(),
  tags: areas,
  sections: z.array(
    z.object({
      id: z.string(),
      partOfLead: z.boolean().default(false),
      openToEveryone: z.boolean().default(false),
      kind: z.enum(sectionKinds).nullable().default(null),
      heading: z.string(),
      focusAreas: areas,
      aiLevel: z.enum(aiLevels),
      minutes: z.number(),
      body: z.string(),
    }),
  ),
})
const categorySchema = z.object({
  title: z.string(),
  prompts: z.array(z.object({ id: z.string(), title: z.string(), when: z.string(), body: z.string() })),
})
const guideSchema = z.object({
  id: z.string(),
  type: z.enum(guideTypes),
  title: z.string(),
  format: z.string(),
  extent: z.string(),
  inside: z.array(z.string()),
  excerpt: z.string(),
})
const toolSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  rating: z.number().nullable().default(null),
  verdict: z.string(),
  goodFor: z.array(z.string()),
  watchOut: z.array(z.string()),
})

export type ContentFiles = { choice: unknown; drops: unknown[]; categories: unknown[]; guides: unknown; tools: unknown }

/** Parses a file. Editors read the error message, so it names the file. */
function read<T>(schema: z.ZodType<T>, content: unknown, file: string): T {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  throw new Error(`Landing samples: ${file} has an unexpected format.\n${z.prettifyError(result.error)}`)
}

function pick<T>(items: readonly T[], isChosen: (item: T) => boolean, wanted: string): T {
  const found = items.find(isChosen)
  if (!found) throw new Error(`Landing samples: content/samples.yaml names ${wanted}, which doesn’t exist.`)
  return found
}

const withId = (id: string) => (item: { id: string }) => item.id === id

export type PickedSamples = { choice: SampleChoice; samples: LandingContent }

/** Picks the free samples. All other content stays on the server. */
export function pickSamples(files: ContentFiles): PickedSamples {
  const choice = read(choiceSchema, files.choice, 'content/samples.yaml')
  const drops = read(z.array(dropSchema), files.drops, 'a file in content/drops')
  const categories = read(z.array(categorySchema), files.categories, 'a file in content/prompts')
  const guides = read(z.array(guideSchema), files.guides, 'content/guides.yaml')
  const tools = read(z.array(toolSchema), files.tools, 'content/tools.yaml')

  const drop = pick(drops, (item) => item.slug === choice.drop.slug, `the drop "${choice.drop.slug}"`)
  const opening = pick(
    drop.sections,
    withId(choice.drop.section),
    `the section "${choice.drop.section}" of "${drop.slug}"`,
  )
  const promptOf = (category: z.infer<typeof categorySchema>) => category.prompts.find(withId(choice.promptId))
  const category = pick(categories, (item) => promptOf(item) !== undefined, `the prompt "${choice.promptId}"`)
  const prompt = pick(category.prompts, withId(choice.promptId), `the prompt "${choice.promptId}"`)
  const guide = pick(guides, withId(choice.guideId), `the guide "${choice.guideId}"`)
  const tool = pick(tools, withId(choice.toolId), `the tool "${choice.toolId}"`)

  if (!canReadSection(visitor, opening)) {
    throw new Error(`Landing samples: the section "${opening.heading}" isn’t open to everyone.`)
  }
  const paragraph = openingParagraph(opening.body)
  if (!paragraph) throw new Error(`Landing samples: the section "${opening.heading}" doesn’t start with a paragraph.`)
  const linesOf = ({ excerpt }: { excerpt: string }) => readExcerpt(excerpt).slice(0, excerptBlocks)

  const promptCount = categories.reduce((sum, each) => sum + each.prompts.length, 0)
  const samples = landingSamplesSchema.parse({
    drop: { ...drop, isWhole: canReadWhole(visitor, drop.sections), opening: { heading: opening.heading, paragraph } },
    prompt: {
      ...prompt,
      body: showPlaceholders(prompt.body.trim()),
      category: category.title,
      categoryCount: category.prompts.length,
    },
    guide: { ...guide, firstLines: linesOf(guide) },
    promptCount,
    tool,
  })
  return {
    choice: { ...choice, firstLines: Object.fromEntries(guides.map((each) => [each.id, linesOf(each)])) },
    samples: { ...samples, texts: composeLandingTexts(publicationDefaults, {}, samples), editor: null },
  }
}
