/**
 * `node scripts/content-stats.ts`: word counts and reading level of the content files, and passages that two pieces share.
 * docs/content-review.md quotes its output.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const content = new URL('../content/', import.meta.url)
const read = (path: string) => parse(readFileSync(new URL(path, content), 'utf8'))
const filesIn = (folder: string) => readdirSync(new URL(folder, content)).sort()

type Section = { id: string; heading: string; partOfLead?: boolean; body: string; examples?: Record<string, string> }
type Drop = { slug: string; worth: string; intro: string; sections: Section[]; closing: string }
type Prompt = { id: string; when: string; check?: string[]; body: string; example?: Record<string, string> }
type Tool = Record<'id' | 'verdict' | 'description' | 'useCase' | 'priceNote' | 'skipIf', string> & {
  goodFor: string[]
  watchOut: string[]
  criteria: Record<string, string>
}

const drops: Drop[] = filesIn('drops/').map((file) => read(`drops/${file}`))
const prompts: Prompt[] = filesIn('prompts/').flatMap((file) => read(`prompts/${file}`).prompts)
const tools: Tool[] = read('tools.yaml')

const countWords = (markdown: string) => markdown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Sentences of the running text: paragraphs without lists, tables, quoted prompts, code and sums. */
function sentencesOf(markdown: string): string[][] {
  const prose = markdown
    .split('\n')
    .filter((line) => !/^\s*([|>#]|[-*] |\d+\. )/.test(line) && !/ = /.test(line))
    .join(' ')
    .replace(/`[^`]*`|\]\([^)]*\)/g, '')
  return prose
    .split(/[.!?]+(?=["”’)\]*]*\s|$)/)
    .map((sentence) => sentence.match(/[\p{L}\p{N}$]+(?:[’'.,-][\p{L}\p{N}]+)*/gu) ?? [])
    .filter((words) => words.length > 0)
}

/** Counts groups of vowels. Skips silent endings ("store", "closed"), and splits "io" and the like ("period"). */
function countSyllables(word: string): number {
  const plain = word.toLowerCase().replace(/[^a-z]/g, '')
  const spoken = plain
    .replace(/(?<![td])ed$/, '')
    .replace(/(?<!s|x|z|c|g|ch|sh|[^aeiouy]l)es$/, '')
    .replace(/(?<![^aeiouy]l)e$/, '')
  const groups = spoken.match(/[aeiouy]+/g) ?? []
  const split = spoken.match(/(?<![tscg])i[aou]/g) ?? []
  return Math.max(1, groups.length + split.length)
}

/** Flesch-Kincaid grade: 0.39 × words per sentence + 11.8 × syllables per word − 15.59. */
function gradeOf(markdown: string): number {
  const sentences = sentencesOf(markdown)
  const words = sentences.flat()
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0)
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59
}

console.log(
  '| Drop | Lead, words | Short items, words each | Whole drop, words | Grade |\n| --- | --- | --- | --- | --- |',
)
for (const { slug, worth, intro, sections, closing } of drops) {
  const lead = sections.filter((section) => section.partOfLead).map((section) => section.body)
  const short = sections.filter((section) => !section.partOfLead).map((section) => countWords(section.body))
  const examples = sections.flatMap((section) => Object.values(section.examples ?? {}))
  const whole = [worth, intro, ...sections.map((section) => section.body), ...examples, closing].join('\n\n')
  const row = [slug, countWords(lead.join(' ')), short.join(', '), countWords(whole), gradeOf(whole).toFixed(1)]
  console.log(`| ${row.join(' | ')} |`)
}

const toolText = ({ verdict, description, useCase, goodFor, watchOut, criteria, priceNote, skipIf }: Tool) =>
  [verdict, description, useCase, ...goodFor, ...watchOut, ...Object.values(criteria), priceNote, skipIf].join('\n\n')
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []

console.log('\n| Piece | Words | Grade |\n| --- | --- | --- |')
for (const [name, text] of [
  ...tools.map((tool) => [tool.id, toolText(tool)] as const),
  ...['safety', 'start-here', 'method', 'glossary'].map(
    (page) => [page, textsIn(read(`${page}.yaml`)).join('\n\n')] as const,
  ),
]) {
  console.log(`| ${name} | ${countWords(text)} | ${gradeOf(text).toFixed(1)} |`)
}

/** Pieces that share a passage of this many words, and the longest passage of each pair. */
const sharedWords = 12
const pieces = [
  ...drops.flatMap(({ slug, sections }) =>
    sections.map(({ id, body, examples }) => [`${slug}#${id}`, textsIn([body, examples]).join(' ')] as const),
  ),
  ...prompts.map(
    ({ id, when, check, body, example }) => [id, textsIn([when, check, body, example]).join(' ')] as const,
  ),
  ...tools.map((tool) => [tool.id, toolText(tool)] as const),
].map(([name, text]) => ({ name, words: text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [] }))

const seen = new Map<string, string>()
const longest = new Map<string, string>()
for (const { name, words } of pieces) {
  let run = 0
  let partner = name
  for (let start = 0; start + sharedWords <= words.length; start++) {
    const passage = words.slice(start, start + sharedWords).join(' ')
    const other = seen.get(passage) ?? name
    if (other === name) {
      seen.set(passage, name)
      partner = name
      continue
    }
    run = other === partner ? run + 1 : 1
    partner = other
    const shared = words.slice(start - run + 1, start + sharedWords).join(' ')
    const pair = `${other} and ${name}`
    if (shared.length > (longest.get(pair)?.length ?? 0)) longest.set(pair, shared)
  }
}
console.log(`\nPairs of ${pieces.length} pieces that share ${sharedWords} words or more in a row: ${longest.size}`)
for (const [pair, shared] of longest) console.log(`- ${pair}: “${shared}”`)
