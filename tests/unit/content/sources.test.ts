import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listFacts } from '#server/features/library/content/list-facts.ts'
import { parseContentFiles } from '#server/features/library/content/parse-content-files.ts'
import { contentDirectory, readContentDirectory } from '#server/seed/read-content-directory.ts'
import { findContentProblems } from '../../../scripts/build/content-problems.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sources-'))
  cpSync(contentDirectory, directory, { recursive: true })
})
afterEach(() => rmSync(directory, { recursive: true }))

const edit = (file: string, change: (text: string) => string) => {
  const path = join(directory, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

test.each([
  ['a law', 'A store in Ohio has to follow SB 999.', 'SB 999'],
  ['a vendor’s price', 'Copilot costs $21 a month.', '$21'],
  ['a date of a rule', 'The new law takes effect on March 3, 2027.', 'March 3, 2027'],
])('%s without a source is refused with file and line', async (_, sentence, fact) => {
  edit('drops/weekly-flash.yaml', (text) =>
    text.replace('Save the steps as a card.', `${sentence}\n\n      Save the steps as a card.`),
  )
  expect(await findContentProblems(directory)).toEqual([
    expect.stringMatching(/^content\/drops\/weekly-flash\.yaml:\d+: /),
  ])
  expect((await findContentProblems(directory))[0]).toContain(`“${fact}” has no source`)
})

test.each([
  ['a page', 'method.yaml', '  You do. No vendor pays', '  SB 999 asks for it. No vendor pays'],
  [
    'a description of a guide',
    'guides.yaml',
    'A policy for your team in plain English',
    'A policy under SB 999 in plain English',
  ],
  ['the file of a guide', 'guides/text/opening-week-playbook.pdf.txt', 'The rules card', 'SB 999. The rules card'],
])('a law in %s without a source is refused', async (_, file, old, text) => {
  edit(file, (content) => content.replace(old, text))
  expect(await findContentProblems(directory)).toEqual([expect.stringContaining('“SB 999” has no source')])
})

test('the table of sources has each row of the rules by state, with its day', async () => {
  const { files } = readContentDirectory(directory)
  const facts = listFacts(await parseContentFiles(files)).filter(({ file }) => file === 'states.yaml')
  expect(facts).toContainEqual(
    expect.objectContaining({ fact: expect.stringMatching(/^Evanston: 14 days/), opened: '2026-11-29' }),
  )
  expect(facts.filter(({ source }) => source === null)).toEqual([])
})

test('an invented figure, a quotation and the day of reading need none', async () => {
  edit('drops/weekly-flash.yaml', (text) =>
    text.replace(
      'Save the steps as a card.',
      'Say it is $18,420. A sign says “Copilot for $21”. We read a copy on November 28, 2026.\n\n      Save the steps as a card.',
    ),
  )
  expect(await findContentProblems(directory)).toEqual([])
})

test('a price of a tool that changes in the text, and not in the table of sources, is refused', async () => {
  edit('tools.yaml', (text) => text.replaceAll('$350', '$375'))
  const problems = await findContentProblems(directory)
  expect(problems.join('\n')).toContain('“$375” has no source')
  expect(problems.join('\n')).toContain('“$350” isn’t in the text')
})

test('a rule of a state without its state, and an item that doesn’t exist, are refused', async () => {
  edit('states.yaml', (text) => text.replace('states: [IL], ', '').replace('ai-use-policy]', 'ai-used-policy]'))
  const problems = await findContentProblems(directory)
  expect(problems).toEqual([
    expect.stringContaining('There is no item “ai-used-policy”'),
    expect.stringContaining('Name its states, or US for all'),
  ])
})
