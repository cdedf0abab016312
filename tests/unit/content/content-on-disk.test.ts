import { beforeAll, expect, test } from 'vitest'
import type { ContentFiles, DropFile } from '#server/features/library/content/content-files.ts'
import { parseContentFiles } from '#server/features/library/content/parse-content-files.ts'
import { readContentDirectory } from '#server/seed/read-content-directory.ts'
import { checkSums } from '#shared/domain/check-content.ts'
import { toolCriteria } from '#shared/domain/content-labels.ts'
import { internalLinksIn } from '#shared/domain/internal-links.ts'
import { splitPlaceholders } from '#shared/domain/placeholders.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { findContentProblems } from '../../../scripts/build/content-problems.ts'

/* The files in content/ as they are: what the issue of a drop, a pack or a page promises. */

let content: ContentFiles
beforeAll(async () => {
  content = await parseContentFiles(readContentDirectory().files)
})

const subsets = <Word>(words: readonly Word[]): Word[][] =>
  words.reduce<Word[][]>((all, word) => all.flatMap((some) => [some, [...some, word]]), [[]])

/** Every combination of answers of the onboarding wizard, and of no answer where there can be none. No section has goals. */
function* allReaders(): Generator<Reader> {
  for (const areas of subsets(focusAreas)) {
    for (const aiLevel of [null, ...aiLevels]) {
      for (const franchiseType of [null, ...franchiseTypes]) {
        yield { focusAreas: areas, goals: [...goals], aiLevel, franchiseType }
      }
    }
  }
}

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}$][\p{L}\p{N}'’.,%-]*/gu)?.length ?? 0
const leadOf = ({ sections }: DropFile) => sections.filter(({ partOfLead }) => partOfLead)
const shortItemsOf = ({ sections }: DropFile) => sections.filter(({ partOfLead }) => !partOfLead)
const rankable = ({ sections }: DropFile) => sections.map((section) => ({ ...section, goals: [] }))

test('the content has no problems: leads, links, variables, sums, dates, leftovers', async () => {
  expect(await findContentProblems()).toEqual([])
})

test('texts use typographic apostrophes', () => {
  expect(JSON.stringify(content).match(/[\p{L}\p{N}]'\p{L}.{0,20}/gu)).toBeNull()
})

test('24 drops, 57 prompts, four guides, 14 tools, 30 terms', () => {
  expect(content.drops).toHaveLength(24)
  expect(content.categories.map(({ key, prompts }) => [key, prompts.length])).toEqual([
    ['marketing', 18],
    ['operations', 24],
    ['sales', 15],
  ])
  expect(content.guides).toHaveLength(4)
  expect(content.tools).toHaveLength(14)
  expect(content.pages.glossary.terms.length).toBeGreaterThanOrEqual(30)
})

test('for every combination of answers, the lead of every drop stays whole and in order', () => {
  for (const drop of content.drops) {
    const sections = rankable(drop)
    const lead = sections.flatMap(({ partOfLead }, index) => (partOfLead ? [index] : []))
    const expected = lead.join()
    const everything = sections.length
    for (const reader of allReaders()) {
      const { order } = rankSections(publicationDefaults, sections, reader)
      const place = order.indexOf(lead[0] ?? -1)
      if (order.slice(place, place + lead.length).join() !== expected || new Set(order).size !== everything) {
        expect({ drop: drop.slug, reader, order }).toBe('whole')
      }
    }
  }
})

test('each focus area changes the order of at least half of the drops', () => {
  for (const area of focusAreas) {
    const reader: Reader = { focusAreas: [area], goals: [], aiLevel: null, franchiseType: null }
    const changed = content.drops.filter((drop) => {
      const { order } = rankSections(publicationDefaults, rankable(drop), reader)
      return order.some((index, place) => index !== place)
    })
    expect(changed.length, area).toBeGreaterThanOrEqual(content.drops.length / 2)
  }
})

test('a drop has a lead of three to five steps with 500 to 800 words, and four to eight short items of 80 to 200', () => {
  const counts = content.drops.map((drop) => ({
    slug: drop.slug,
    steps: leadOf(drop).length,
    words: wordsIn(
      leadOf(drop)
        .map(({ body }) => body)
        .join('\n'),
    ),
    short: shortItemsOf(drop).map(({ body }) => wordsIn(body)),
  }))
  const isFine = ({ steps, words, short }: (typeof counts)[number]) =>
    steps >= 3 &&
    steps <= 5 &&
    words >= 450 &&
    words <= 850 &&
    short.length >= 4 &&
    short.length <= 8 &&
    short.every((count) => count >= 75 && count <= 210)
  expect(counts.filter((count) => !isFine(count))).toEqual([])
})

test('the short items of a drop have a kind and cover four focus areas, all sections five, and every tag occurs', () => {
  for (const drop of content.drops) {
    const short = shortItemsOf(drop)
    expect(
      short.every(({ kind }) => kind !== null),
      drop.slug,
    ).toBe(true)
    expect(new Set(short.flatMap((section) => section.focusAreas)).size, drop.slug).toBeGreaterThanOrEqual(4)
    const all = new Set(drop.sections.flatMap((section) => section.focusAreas))
    expect(all.size, drop.slug).toBeGreaterThanOrEqual(5)
    expect(
      drop.tags.filter((tag) => !all.has(tag)),
      drop.slug,
    ).toEqual([])
  }
})

test('a step of every lead has an example for each trade, and every drop is dated on a Tuesday of its own', () => {
  for (const drop of content.drops) {
    expect(
      leadOf(drop).some(({ examples }) => Object.keys(examples).length === verticals.length),
      drop.slug,
    ).toBe(true)
    expect(new Date(drop.date).getUTCDay(), drop.slug).toBe(2)
  }
  expect(new Set(content.drops.map(({ date }) => date)).size).toBe(content.drops.length)
})

test('every drop says what it is worth in an equation, and asks a question', () => {
  for (const { slug, worth, question } of content.drops) {
    expect(worth, slug).toMatch(/[×÷+−].*=/)
    expect(question, slug).toMatch(/\?$/)
  }
})

test('every blank of every prompt, and of every quoted prompt in a drop, is a variable of the registry', () => {
  const bodies = content.categories.flatMap(({ prompts }) => prompts.map(({ body }) => body))
  const quoted = content.drops.flatMap(({ sections }) =>
    sections.flatMap(({ body }) => body.split('\n').filter((line) => /^\s*>(?! \[!)/.test(line))),
  )
  const placeholders = [...bodies, ...quoted].flatMap((text) =>
    splitPlaceholders(text).flatMap(({ placeholder }) => placeholder ?? []),
  )
  expect(placeholders.length).toBeGreaterThan(200)
  expect(placeholders.filter(({ name }) => name === null)).toEqual([])
})

/** Blanks and words of prompts whose answer has sums. */
const asksForSums =
  /\[(sales_figures|percent|unit_costs|budget|hours_budget|vendor_quotes|labor_hours|pipeline|amount|costs|royalty_rate|capacity)\b|equation|arithmetic/

test('every prompt says when not to use it, and those with sums have them calculated with code', () => {
  const prompts = content.categories.flatMap((category) => category.prompts)
  expect(prompts.filter(({ when }) => !/ Don’t use it if .+\.$/.test(when)).map(({ id }) => id)).toEqual([])
  const uncalculated = prompts.filter(({ body }) => asksForSums.test(body) && !body.includes('with code'))
  expect(uncalculated.map(({ id }) => id)).toEqual([])
})

test('every prompt has a worked example, spread over the trades, whose corrected version adds up', () => {
  const prompts = content.categories.flatMap((category) => category.prompts)
  const examples = prompts.flatMap(({ example }) => example ?? [])
  expect(examples).toHaveLength(prompts.length)
  for (const vertical of verticals) {
    expect(examples.filter((example) => example.vertical === vertical).length, vertical).toBeGreaterThanOrEqual(4)
  }
  expect(examples.flatMap(({ input, corrected }) => [...checkSums([], input), ...checkSums([], corrected)])).toEqual([])
})

test('at least 40 prompts address a franchise topic', () => {
  const prompts = content.categories.flatMap((category) => category.prompts)
  expect(prompts.filter(({ touches }) => touches.length > 0).length).toBeGreaterThanOrEqual(40)
})

test('every drop links to other parts of the library', () => {
  const without = content.drops.filter(({ worth, intro, closing, sections }) => {
    const texts = [worth, intro, closing, ...sections.map(({ body }) => body)]
    return !texts.flatMap(internalLinksIn).some(({ address }) => address.startsWith('/portal/'))
  })
  expect(without.map(({ slug }) => slug)).toEqual([])
})

test('the method page explains every criterion', () => {
  expect(content.pages.method.criteria.map(({ key }) => key)).toEqual([...toolCriteria])
})

test('every criterion of a tool ends with a dated result, or says that it wasn’t checked', () => {
  const lines = content.tools.flatMap(({ id, criteria }) =>
    toolCriteria.map((criterion) => `${id}: ${criteria[criterion] ?? 'nothing'}`),
  )
  expect(
    lines.filter((line) => !/ Result(?: \(stored copy, November \d+, 2026\): .+|: not checked)\.$/.test(line)),
  ).toEqual([])
  for (const { id, criteria } of content.tools) {
    const results = Object.values(criteria).filter((line) => line.includes('stored copy'))
    expect(results.length === 0 || content.sources.some(({ at }) => at === id), id).toBe(true)
  }
})

test('two of five sections have a prompt to paste, and each drop begins with what changed, for whom, and what to do', () => {
  const sections = content.drops.flatMap((drop) => drop.sections)
  const withPrompt = sections.filter(({ body }) => body.includes('> [!PROMPT]'))
  expect(withPrompt.length / sections.length).toBeGreaterThanOrEqual(0.4)
  for (const { slug, date, sections: own } of content.drops) {
    expect(own[0]?.id, slug).toBe('what-changed')
    expect(own[0]?.body, slug).toMatch(
      /\*\*What\.\*\*[\s\S]*\*\*Who\.\*\*[\s\S]*\*\*Do\.\*\*[\s\S]*November 2[89], 2026/,
    )
    if (date >= '2026-12-01') expect(own[0]?.body, slug).toMatch(/\*\*What\.\*\*.*\]\(https:/)
  }
})
