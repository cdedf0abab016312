/**
 * Tries a prompt or a tool with an assistant, by hand, and stores the transcript in content/transcripts:
 *
 *   npm run content:try -- prompts                               the next prompt that was not tried
 *   npm run content:try -- tools canva                           this tool
 *   npm run content:try -- prompts sales-quote-email <folder>    with another content folder
 *
 * It shows an input, takes the pasted answer (a line with only a period ends it), recalculates its sums, and asks about the
 * rest of the check. Nothing is stored before the last question.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stringify } from 'yaml'
import { toolTests } from '../content/tools/source/test-inputs.ts'
import { type Transcript, transcriptSchema } from '../src/server/features/library/content/content-files.ts'
import { parseContentFiles } from '../src/server/features/library/content/parse-content-files.ts'
import { contentDirectory, readContentDirectory } from '../src/server/seed/read-content-directory.ts'
import { findWrongSums } from '../src/shared/domain/find-wrong-sums.ts'

const [kind, wantedId, directory = contentDirectory] = process.argv.slice(2)
if (kind !== 'prompts' && kind !== 'tools') {
  console.error('Usage: npm run content:try -- prompts|tools [id]')
  process.exit(2)
}

const { categories, runs, transcripts } = await parseContentFiles(readContentDirectory(directory).files)
const prompts = categories.flatMap((category) => category.prompts)
const prepared =
  kind === 'tools'
    ? toolTests.map(({ id, tool, howTo, inputs }) => ({
        ...{ id, title: tool, text: howTo, checks: [] as string[] },
        inputs: inputs.map(({ name, input, expect }) => ({ input: `${name}: ${input}`, expect, check: expect })),
      }))
    : runs.map(({ id, inputs }) => {
        const { title = id, body = '', checks = [] } = prompts.find((prompt) => prompt.id === id) ?? {}
        return { id, title, text: body, checks, inputs }
      })
const isTried = (id: string) => transcripts.some((transcript) => transcript.id === id)
const run = prepared.find(({ id }) => (wantedId ? id === wantedId : !isTried(id)))
if (!run) {
  console.error(
    wantedId
      ? `There is no run for ${wantedId}. There are: ${prepared.map(({ id }) => id).join(', ')}`
      : 'All were tried.',
  )
  process.exit(1)
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
async function readLine(question: string): Promise<string> {
  console.log(question)
  const { value, done } = await lines.next()
  if (!done) return value.trim()
  console.error('Ended early. Nothing was stored.')
  process.exit(1)
}
async function readAnswer(): Promise<string> {
  const answer: string[] = []
  for (;;) {
    const line = await readLine(answer.length === 0 ? 'Paste the answer. End with a line that has only a period.' : '')
    if (line === '.') return answer.join('\n').trim()
    answer.push(line)
  }
}
const isYes = async (question: string) => (await readLine(`${question} (y/n)`)).toLowerCase().startsWith('y')

console.log(`\n${run.title}\n\n${run.text}`)
const assistant = await readLine('Which assistant, model and plan?')
const tries: Transcript['tries'] = []
for (const [index, { input, expect, check }] of run.inputs.entries()) {
  console.log(`\nInput ${index + 1} of ${run.inputs.length}\n${input}\n\nExpect: ${expect}\n`)
  const answer = await readAnswer()
  const wrong = findWrongSums(answer).map(({ written, result }) => `“${written}” is ${result}.`)
  for (const problem of wrong) console.log(`Wrong sum: ${problem}`)
  const failed: string[] = []
  for (const line of [check, ...run.checks]) if (!(await isYes(line))) failed.push(line)
  const found = await readLine('What did you find? (empty for nothing)')
  const note = [...wrong, ...failed.filter((line) => line !== check).map((line) => `Not met: ${line}`), found]
  const passed = wrong.length === 0 && failed.length === 0
  tries.push({ input, expect, check, answer: answer || 'No answer.', passed, note: note.filter(Boolean).join(' ') })
}
const changed = await readLine('What did you change because of it? (empty for nothing)')
const now = new Date()
const on = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
const transcript = transcriptSchema.parse({ id: run.id, assistant, on, tries, changed })
const folder = join(directory, 'transcripts')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, `${run.id}.yaml`), stringify(transcript, { lineWidth: 120 }))
const good = tries.filter(({ passed }) => passed).length
console.log(`\n${good} of ${tries.length} as expected. Stored in ${join(folder, `${run.id}.yaml`)}`)
process.exit(0)
