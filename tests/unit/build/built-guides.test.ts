import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildScorecard, sheetsWithoutPicture } from '../../../content/guides/source/ai-pilot-scorecard.ts'
import { buildUsePolicy } from '../../../content/guides/source/ai-use-policy.ts'
import { edition } from '../../../content/guides/source/edition.ts'
import { neverGoesIn, policyBlocks } from '../../../content/guides/source/policy-text.ts'
import { demoEntries, demoTotals } from '../../../content/guides/source/scorecard-demo.ts'
import { buildLog, logNames } from '../../../content/sheets/source/logs.ts'
import { toolTests } from '../../../content/tools/source/test-inputs.ts'
import { buildTestSheet } from '../../../content/tools/source/test-sheet.ts'
import {
  guidesDirectory,
  playbookRecord,
  playbookSourceHash,
  playbooks,
} from '../../../scripts/build/playbook-source.ts'
import { publicationDefaults as publication } from '../../../src/shared/publication-defaults.ts'

type Guide = { id: string; file: string; extent: string; edition: number; pages: string[]; excerpt: string }

const contentDirectory = join(guidesDirectory, '..')
const read = (...path: string[]) => readFileSync(join(contentDirectory, ...path))
const guides: Guide[] = parse(read('guides.yaml').toString())
const imprint = { publication: publication.name, edition }

/** Texts of the files in an Office document by name; compressed bytes may differ between machines. */
function unzip(bytes: Uint8Array): Record<string, string> {
  const buffer = Buffer.from(bytes)
  const end = buffer.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const files: Record<string, string> = {}
  let entry = buffer.readUInt32LE(end + 16)
  for (let count = buffer.readUInt16LE(end + 10); count > 0; count--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) => buffer.readUInt16LE(entry + at))
    const name = buffer.toString('utf8', entry + 46, entry + 46 + (nameLength ?? 0))
    const local = buffer.readUInt32LE(entry + 42)
    const start = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28)
    const packed = buffer.subarray(start, start + buffer.readUInt32LE(entry + 20))
    files[name] = (buffer.readUInt16LE(entry + 10) === 8 ? inflateRawSync(packed) : packed).toString('utf8')
    entry += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return files
}

const rebuild = 'run npm run guides:build'

test('the built Word and Excel files equal their sources', async () => {
  const policy = unzip(read('guides', 'ai-use-policy.docx'))
  expect(policy, rebuild).toEqual(unzip(await buildUsePolicy(imprint)))
  expect(unzip(read('guides', 'ai-pilot-scorecard.xlsx')), rebuild).toEqual(unzip(buildScorecard(imprint)))
  for (const name of logNames) {
    expect(unzip(read('sheets', `${name}.xlsx`)), rebuild).toEqual(unzip(buildLog(name, imprint)))
  }
  for (const toolTest of toolTests) {
    const file = read('tools', `${toolTest.id}-test.xlsx`)
    expect(unzip(file), rebuild).toEqual(unzip(buildTestSheet(toolTest, imprint)))
  }
})

test('the PDFs were printed from the current sources', async () => {
  const printedFrom = JSON.parse(readFileSync(playbookRecord, 'utf8'))
  for (const name of playbooks) expect(printedFrom[name], rebuild).toBe(await playbookSourceHash(name))
})

test('guides state the edition and the pages that their files have', () => {
  const pictures = readdirSync(join(guidesDirectory, 'pages'))
  expect(guides.flatMap(({ pages }) => pages).sort()).toEqual(pictures.sort())
  for (const guide of guides) {
    expect(guide.edition, guide.id).toBe(edition.getUTCFullYear())
    const withoutPicture = guide.id === 'ai-pilot-scorecard' ? sheetsWithoutPicture.length : 0
    expect(guide.extent, guide.id).toMatch(new RegExp(`^${guide.pages.length + withoutPicture} (pages|sheets)$`))
    expect(guide.pages[0]).toBe(`${guide.id}-1.webp`)
  }
})

test('excerpts of guides are text of the guides', () => {
  const words = (text: string) =>
    text
      .replace(/<[^>]+>/g, ' ')
      .replace(/&nbsp;/g, ' ')
      .replace(/\*\*/g, '')
      .replace(/\s+/g, ' ')
      // Excerpts leave out references to pages.
      .replace(/ \(page \d+\)/g, '')
  const textOf = (guide: Guide) => {
    if (guide.id === 'ai-use-policy') return words(JSON.stringify(policyBlocks))
    if (guide.id === 'ai-pilot-scorecard')
      return words(unzip(buildScorecard(imprint))['xl/worksheets/sheet1.xml'] ?? '')
    return words(read('guides', 'source', `${guide.id}.html`).toString())
  }
  for (const guide of guides) {
    const text = textOf(guide)
    const paragraphs = guide.excerpt.split(/\n\s*\n|\n(?=- |\d+\. )/).map((line) => line.replace(/^(\d+\.|-) /, ''))
    const sentences = paragraphs.flatMap((paragraph) => words(paragraph).split(/(?<=[.:?]) /))
    const missing = sentences.map((sentence) => sentence.trim()).filter((sentence) => !text.includes(sentence))
    expect(missing, guide.id).toEqual([])
  }
})

test('the policy and the playbook have the never rules of the safety page', () => {
  const safety: { never: { rule: string; exception?: string }[] } = parse(read('safety.yaml').toString())
  const rules = safety.never.map(({ rule, exception }) => (exception ? `${rule} Exception: ${exception}` : rule))
  expect(neverGoesIn.map((rule) => rule.replace('the franchisor agreed', 'The franchisor agreed'))).toEqual(rules)
  const playbook = read('guides', 'source', 'opening-week-playbook.html').toString()
  for (const rule of neverGoesIn) expect(playbook).toContain(rule.replace(/\.$/, ''))
})

test('every tool has a test sheet', () => {
  const tools: { id: string; name: string; testSheet: string }[] = parse(read('tools.yaml').toString())
  const tested = toolTests.map(({ id, tool }) => [id, tool])
  expect(tools.map(({ id, name }) => [id, name]).toSorted()).toEqual(tested.toSorted())
  for (const { testSheet } of tools)
    expect(existsSync(join(contentDirectory, 'tools', testSheet)), testSheet).toBe(true)
})

test('the demo month adds up', () => {
  const all = demoTotals()
  expect(all.entries).toBe(24)
  expect(all.saved).toBe(all.before - all.withAi)
  const locations = [1, 2, 3].map((location) => demoTotals((entry) => entry.location === location))
  expect(locations.reduce((sum, { money }) => sum + money, 0)).toBeCloseTo(all.money)
  // Every entry has a baseline, or the sheet would show "none".
  expect(demoEntries.filter(({ each }) => each === 0)).toEqual([])
})
