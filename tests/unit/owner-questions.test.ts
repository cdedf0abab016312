import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseContentFiles } from '#server/features/library/content/parse-content-files.ts'
import { readContentDirectory } from '#server/seed/read-content-directory.ts'
import { sectionDraftsOf } from '#server/seed/seed-documents.ts'

const questionsSchema = z.array(
  z.strictObject({
    ask: z.string().min(3).max(80),
    trait: z.enum(['typo', 'other-words']).optional(),
    expected: z
      .array(z.strictObject({ kind: z.enum(['issue', 'section', 'prompt', 'guide', 'tool', 'page']), id: z.string() }))
      .min(1)
      .max(3),
  }),
)

const file = new URL('../integration/search/owner-questions.yaml', import.meta.url)
const questions = questionsSchema.parse(parse(readFileSync(file, 'utf8')))

test('the 60 questions of owners are different, and five have typos', () => {
  expect(new Set(questions.map(({ ask }) => ask)).size).toBe(60)
  expect(questions.filter(({ trait }) => trait === 'typo')).toHaveLength(5)
})

test('every item that a question is looking for exists in content/', async () => {
  const { drops, categories, guides, tools } = await parseContentFiles(readContentDirectory().files)
  const keys = new Set([
    ...drops.map(({ slug }) => `issue ${slug}`),
    ...drops.flatMap((drop) => sectionDraftsOf(drop).map(({ id }) => `section ${id}`)),
    ...categories.flatMap(({ prompts }) => prompts.map(({ id }) => `prompt ${id}`)),
    ...guides.map(({ id }) => `guide ${id}`),
    ...tools.map(({ id }) => `tool ${id}`),
  ])
  // Terms of the glossary are pages; the test of the search finds them.
  const missing = questions.flatMap(({ expected }) =>
    expected.filter(({ kind, id }) => kind !== 'page' && !keys.has(`${kind} ${id}`)),
  )
  expect(missing).toEqual([])
})
