import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { parseContentFiles } from '#server/features/library/content/parse-content-files.ts'
import { contentDirectory, readContentDirectory } from '#server/seed/read-content-directory.ts'
import { canReadSection, canReadWhole, visitor } from '#shared/domain/open-sections.ts'

type Samples = { promptId: string; toolId: string }

/** Shorter sentences are common phrases. */
const shortest = 32

/** Plain text, whether from Markdown, HTML, a JavaScript string or JSON. */
export const normalizeText = (text: string): string =>
  text
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(["'`\\])/g, '$1')
    .replace(/&(?:#39|#x27|apos);/g, "'")
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[*_>|#`\s]+/g, ' ')

const sentencesOf = (text: string): string[] =>
  text
    .split(/\n\s*\n|\n\s*(?:[-*|>]|\d+\.)\s/)
    .flatMap((paragraph) => normalizeText(paragraph).split(/(?<=[.?!:])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= shortest)

/** Every sentence that only subscribers may read: content/ without what is open to everyone and samples.yaml. */
export async function paidSentences(): Promise<string[]> {
  const { drops, categories, tools } = await parseContentFiles(readContentDirectory().files)
  const samples = parse(readFileSync(join(contentDirectory, 'samples.yaml'), 'utf8')) as Samples
  const texts = [
    ...drops
      .filter(({ sections }) => !canReadWhole(visitor, sections))
      .flatMap(({ worth, closing, question, sections }) => [
        worth,
        closing,
        question,
        ...sections
          .filter((section) => !canReadSection(visitor, section))
          .flatMap(({ body, examples }) => [body, ...Object.values(examples)]),
      ]),
    ...categories.flatMap(({ prompts }) =>
      prompts.flatMap(({ id, body, checks, example }) => [
        ...(id === samples.promptId ? [] : [body]),
        ...checks,
        ...(example ? [example.input, example.answer, example.mistake, example.corrected] : []),
      ]),
    ),
    ...tools
      .filter(({ id }) => id !== samples.toolId)
      .flatMap(({ useCase, description, watchOut }) => [useCase, description, ...watchOut]),
  ]
  // The sample prompt shares fixed lines with others, and open sections some sentences with closed ones.
  const samplePrompt = categories.flatMap(({ prompts }) => prompts).find(({ id }) => id === samples.promptId)
  const openTexts = drops.flatMap(({ intro, sections }) => [
    intro,
    ...sections.filter((section) => canReadSection(visitor, section)).map(({ body }) => body),
  ])
  const free = normalizeText([samplePrompt?.body ?? '', ...openTexts].join('\n\n'))
  return [...new Set(texts.flatMap(sentencesOf))].filter((sentence) => !free.includes(sentence))
}

/** Sentences by their first characters, which is far quicker than a search for each of thousands of sentences. */
const indexes = new WeakMap<readonly string[], Map<string, string[]>>()
const keyLength = 16

function indexOf(sentences: readonly string[]): Map<string, string[]> {
  const known = indexes.get(sentences) ?? Map.groupBy(sentences, (sentence) => sentence.slice(0, keyLength))
  indexes.set(sentences, known)
  return known
}

/** The first paid sentences found in a text, for an error message. */
export function findPaid(text: string, sentences: readonly string[]): string[] {
  const read = normalizeText(text)
  const index = indexOf(sentences)
  const found = new Set<string>()
  for (let start = 0; start <= read.length - keyLength && found.size < 3; start += 1) {
    for (const sentence of index.get(read.slice(start, start + keyLength)) ?? []) {
      if (read.startsWith(sentence, start)) found.add(sentence)
    }
  }
  return [...found].slice(0, 3)
}
