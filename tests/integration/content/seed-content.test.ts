import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count, eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  contentPages,
  guides,
  issueSections,
  issues,
  promptCategories,
  prompts,
  sitePage,
  tools,
} from '#server/db/schema/index.ts'
import { parseContentFiles } from '#server/features/library/content/parse-content-files.ts'
import { contentDirectory, readContentDirectory } from '#server/seed/read-content-directory.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const database = openForTests(openTestDatabase)
let directory: string
const seed = (from = directory, at = '2026-11-30T12:00:00Z') =>
  seedContent({ database, clock: () => new Date(at) }, from)
const edit = (file: string, change: (text: string) => string) => {
  const path = join(directory, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

beforeEach(async () => {
  await database.truncate()
  directory = mkdtempSync(join(tmpdir(), 'content-'))
  cpSync(contentDirectory, directory, { recursive: true, filter: (path) => !/guides\/./.test(path) })
})
afterEach(() => rmSync(directory, { recursive: true }))

test('the content is complete: twelve drops, 24, 18 and 15 prompts, four guides, 14 tools, their pages, notes, deadlines and translations', async () => {
  expect(await seed()).toBe(true)
  const counts = await database.db
    .select({ key: promptCategories.key, prompts: count(prompts.id) })
    .from(promptCategories)
    .innerJoin(prompts, eq(prompts.categoryId, promptCategories.id))
    .groupBy(promptCategories.key, promptCategories.position)
    .orderBy(promptCategories.position)
  expect(counts).toEqual([
    { key: 'operations', prompts: 24 },
    { key: 'marketing', prompts: 18 },
    { key: 'sales', prompts: 15 },
  ])
  expect(await database.db.$count(issues)).toBe(12)
  expect(await database.db.$count(contentPages)).toBe(7)
  const downloads = await database.db.select({ downloads: guides.downloads }).from(guides).orderBy(guides.position)
  expect(downloads.map((row) => row.downloads)).toEqual([234, 189, 156, 203])
  const ratings = await database.db.select({ rating: tools.rating }).from(tools).orderBy(tools.position)
  expect(ratings.map((row) => row.rating)).toEqual([4.8, 4.6, 4.5, 4.7, ...Array(10).fill(null)])
})

test('a drop’s id is its slug, and its sections keep their order', async () => {
  await seed()
  const rows = await database.db.select().from(issues)
  expect(rows.every((row) => row.id === row.slug && row.readingMinutes >= 3)).toBe(true)
  const file = (await parseContentFiles(readContentDirectory(directory).files)).drops.find(
    ({ slug }) => slug === 'a-week-of-reviews',
  )
  const sections = await database.db
    .select({ id: issueSections.id, partOfLead: issueSections.partOfLead })
    .from(issueSections)
    .where(eq(issueSections.issueId, 'a-week-of-reviews'))
    .orderBy(issueSections.position)
  expect(sections).toEqual(file?.sections.map(({ id, partOfLead }) => ({ id: `a-week-of-reviews--${id}`, partOfLead })))
})

test('a second start with the same files writes nothing', async () => {
  await seed()
  const before = await database.db.select().from(issues)
  expect(await seed()).toBe(false)
  expect(await database.db.select().from(issues)).toEqual(before)
})

test('a drop is loaded from the day of its date on, in the publication’s time zone', async () => {
  const slug = 'ten-minutes-in-your-close'
  edit(`drops/${slug}.yaml`, (text) => text.replace(/date: [\d-]+/, 'date: 2099-11-03'))
  const isOut = async () => (await database.db.$count(issues, eq(issues.slug, slug))) > 0
  await seed(directory, '2099-11-02T12:00:00Z')
  expect(await seed(directory, '2099-11-03T04:59:00Z')).toBe(false)
  expect(await isOut()).toBe(false)
  expect(await seed(directory, '2099-11-03T05:01:00Z')).toBe(true)
  expect(await isOut()).toBe(true)
  expect(await seed(directory, '2099-11-03T18:00:00Z')).toBe(false)
})

test('the tables of rules and changes become pages for members, each row with its source', async () => {
  await seed()
  const rows = await database.db.select().from(sitePage).orderBy(sitePage.path)
  expect(rows.map(({ path, audience }) => [path, audience])).toEqual([
    ['cases', 'members'],
    ['state-rules', 'members'],
    ['test-runs', 'members'],
    ['what-changed', 'members'],
  ])
  expect(rows[1]?.body).toMatch(
    /## AI in hiring[\s\S]*\| Colorado \| .* \| \[coag\.gov\]\(https:\/\/coag\.gov\/resources\/ai\/\) \| Nov 28, 2026 \|/,
  )
  const changed = (text: string) => text.replace('title: AI and marketing rules by state', 'title: Rules by state')
  edit('states.yaml', changed)
  await seed()
  expect((await database.db.select().from(sitePage)).map(({ title }) => title)).toContain('Rules by state')
  await database.db.delete(sitePage).where(eq(sitePage.path, 'what-changed'))
  await database.db.update(sitePage).set({ title: 'Ours', version: 2 })
  edit('changes.yaml', (text) => text.replace('newest first', 'newest ones first'))
  await seed()
  expect((await database.db.select().from(sitePage)).map(({ title }) => title)).toEqual(['Ours', 'Ours', 'Ours'])
  edit('states.yaml', (text) => text.replace(/, source: '[^']+'/, ''))
  await expect(seed()).rejects.toThrow(/content\/states\.yaml:\d+: groups\.0\.rows\.0\.source/)
})

test('two starts at once load the content once', async () => {
  expect((await Promise.all([seed(), seed()])).filter(Boolean)).toHaveLength(1)
})

test('a changed file replaces the text and keeps download counts', async () => {
  await seed()
  await database.db.update(guides).set({ downloads: sql`${guides.downloads} + 7` })
  edit('guides.yaml', (text) => text.replace('Opening Week AI Playbook', 'Opening Week, Second Edition'))
  edit('prompts/sales.yaml', (text) => text.slice(0, text.lastIndexOf('  - id:')))
  expect(await seed()).toBe(true)
  const [guide] = await database.db.select().from(guides).where(eq(guides.id, 'opening-week-playbook'))
  expect(guide).toMatchObject({ title: 'Opening Week, Second Edition', downloads: 241 })
  expect(await database.db.$count(prompts, eq(prompts.categoryId, 'sales'))).toBe(14)
})

test('an invalid file is reported with its field, and the current content stays', async () => {
  await seed()
  edit('tools.yaml', (text) => text.replace('rating: 4.8', 'rating: 48'))
  await expect(seed()).rejects.toThrow(/content\/tools\.yaml:\d+: 0\.rating/)
  edit('tools.yaml', (text) => text.replace('rating: 48', 'rating: 4.8'))
  edit('drops/a-week-of-reviews.yaml', (text) => text.replace('tags: [Customer Service', 'tags: [Service'))
  await expect(seed()).rejects.toThrow(/content\/drops\/a-week-of-reviews\.yaml:\d+: tags\.0/)
  edit('drops/a-week-of-reviews.yaml', (text) => text.replace('slug: a-week', 'slug: the-week'))
  await expect(seed()).rejects.toThrow(/a-week-of-reviews\.yaml/)
  expect(await database.db.$count(tools)).toBe(14)
})

test('a duplicate prompt id is reported', async () => {
  edit('prompts/sales.yaml', (text) => text.replace('id: sales-catering-outreach', 'id: operations-closing-handover'))
  await expect(seed()).rejects.toThrow('"operations-closing-handover" is used twice')
})

test('a duplicate section id is reported', async () => {
  edit('drops/a-week-of-reviews.yaml', (text) => text.replace('id: voice-card', 'id: sort-by-hand'))
  await expect(seed()).rejects.toThrow('sections.id: "sort-by-hand" is used twice')
})

test('a missing file is reported', async () => {
  rmSync(join(directory, 'tools.yaml'))
  await expect(seed()).rejects.toThrow('content/tools.yaml: the file is missing')
})

test.each<[problem: string, file: string, change: (text: string) => string, message: RegExp]>([
  [
    'a broken lead',
    'drops/a-week-of-reviews.yaml',
    (text) => text.replace('id: facts-and-limits\n    partOfLead: true', 'id: facts-and-limits\n    kind: rule'),
    /content\/drops\/a-week-of-reviews\.yaml:\d+: sections\.3\.partOfLead: The numbered steps aren’t next to each other/,
  ],
  [
    'a link to a missing section',
    'drops/a-week-of-reviews.yaml',
    (text) => text.replace('intro: |\n', 'intro: |\n  See [the sort](#gone).\n\n'),
    /content\/drops\/a-week-of-reviews\.yaml:\d+: intro: There is no section “gone” .* This drop has what-changed, sort-by-hand,/,
  ],
  [
    'a link to a missing prompt',
    'start-here.yaml',
    (text) => text.replace('#operations-closing-handover', '#operations-closing'),
    /content\/start-here\.yaml:\d+: .*There is no prompt “operations-closing”/,
  ],
  [
    'an unknown variable',
    'prompts/sales.yaml',
    (text) => text.replace('[business_type]', '[type of business]'),
    /content\/prompts\/sales\.yaml:\d+: prompts\.\d+\.body: “\[type of business\]” isn’t a blank that readers can fill in\. Write \[/,
  ],
  [
    'a prompt without a label',
    'prompts/sales.yaml',
    (text) => text.replace(/\n +data: [a-z-]+/, ''),
    /content\/prompts\/sales\.yaml:\d+: prompts\.0\.data: /,
  ],
  [
    'a prompt without a check',
    'prompts/sales.yaml',
    (text) => text.replace(/\n +check:(\n +- .*)+/, '\n    check: []'),
    /content\/prompts\/sales\.yaml:\d+: prompts\.0\.check: must have two to four lines/,
  ],
  [
    'a leftover',
    'drops/a-week-of-reviews.yaml',
    (text) => text.replace('closing: |\n', 'closing: |\n  TODO write this.\n'),
    /content\/drops\/a-week-of-reviews\.yaml:\d+: closing: Replace “TODO”/,
  ],
  [
    'a wrong sum',
    'drops/a-week-of-reviews.yaml',
    (text) => text.replace('closing: |\n', 'closing: |\n  That is 3 × 4 minutes = 13 minutes.\n'),
    /content\/drops\/a-week-of-reviews\.yaml:\d+: closing: “3 × 4 minutes = 13” is wrong: the result is 12/,
  ],
])('%s is refused with file, line and fix, and the current content stays', async (_, file, change, message) => {
  await seed()
  edit(file, change)
  await expect(seed()).rejects.toThrow(message)
  expect(await database.db.$count(issues)).toBe(12)
})

test('the line of a problem is the line in the file', async () => {
  edit('drops/a-week-of-reviews.yaml', (text) => text.replace('      | Green | Praise', '      | TODO | Praise'))
  const lines = readFileSync(join(directory, 'drops/a-week-of-reviews.yaml'), 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('TODO')) + 1
  await expect(seed()).rejects.toThrow(`content/drops/a-week-of-reviews.yaml:${line}: sections.1.body: Replace “TODO”`)
})

test('reading time is whole minutes at 220 words, at least one', () => {
  const drop = (words: number) => ({ worth: '', intro: 'word '.repeat(words), closing: '', sections: [] })
  expect([1, 220, 331, 2200].map((words) => readingMinutes(drop(words)))).toEqual([1, 1, 2, 10])
})
