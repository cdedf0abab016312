import type { z } from 'zod'
import type { MarkedText, SearchAnswer, SearchResult, searchCall } from '#shared/contracts/library/search.ts'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { type ContentKind, type ItemRef, itemKey } from '#shared/domain/content-items.ts'
import { foldLetters, searchWords } from '#shared/domain/search-words.ts'
import { type DeviceItem, listDeviceItems } from './device-items.ts'
import type { StoredAnswers } from './stored-answers.ts'

type SearchInput = Partial<z.output<typeof searchCall.input>> & { query: string }

const maxWords = 12
const defaultLimit = 20
/** A word in the title counts as much as this many in the text. */
const titleWeight = 4
const excerptLength = 180
const lettersBefore = 60

/** Words of questions, which say nothing about what is wanted. */
const fillers = new Set(
  'a an and are can do does for from how i in is it me my of on or our should that the this to we what when which who why with you your'.split(
    ' ',
  ),
)

/**
 * Searches what this device keeps, by words and their beginnings, without typos and synonyms. Items with more of the words
 * come first. Undefined for filters that can't be applied here.
 */
export function searchDevice(
  stored: StoredAnswers,
  input: SearchInput,
  listMarked: () => Marked,
): SearchAnswer | undefined {
  const { query, kinds = [], focusAreas = [], levels = [], verticals = [], saved, tried } = input
  if (verticals.length > 0) return undefined
  const all = searchWords(query)
  const telling = all.filter((word) => !fillers.has(word))
  const words = [...new Set(telling.length > 0 ? telling : all)].slice(0, maxWords).map(toPattern)
  const marked = saved || tried ? listMarked() : null
  const has = <Value>(wanted: readonly Value[], values: readonly Value[]) =>
    wanted.length === 0 || values.some((value) => wanted.includes(value))
  const found = listDeviceItems(stored)
    .filter(
      (item) =>
        has(focusAreas, item.focusAreas) &&
        has(levels, item.level ? [item.level] : []) &&
        (!saved || marked?.saved.has(itemKey(item))) &&
        (!tried || marked?.tried.has(itemKey(item))),
    )
    .map((item) => ({ item, ...rank(item, words) }))
  const most = Math.max(1, ...found.map(({ count }) => count))
  const matching = words.length === 0 ? (marked ? found : []) : found.filter(({ count }) => count === most)
  const ranked = matching.toSorted((a, b) => b.score - a.score).map(({ item }) => item)
  const listed = ranked.filter(({ kind }) => has(kinds, [kind]))
  const start = Number(input.cursor) || 0
  const end = start + (input.limit ?? defaultLimit)
  return {
    items: listed.slice(start, end).map((item) => toResult(item, words)),
    counts: countKinds(ranked),
    corrections: [],
    nextCursor: end < listed.length ? String(end) : null,
  }
}

/** Keys of items. */
export type Marked = { saved: ReadonlySet<string>; tried: ReadonlySet<string> }

/** Items that the reader saved and tried, by the marks of all pages. */
export function listMarked(marks: readonly ItemMarks[]): Marked {
  const items = marks.flatMap((page) => page.items)
  const keys = (list: readonly ItemRef[]) => new Set(list.map(itemKey))
  return { saved: keys(items.filter((mark) => mark.saved)), tried: keys(items.filter((mark) => mark.tried !== null)) }
}

/** Finds words that begin with the word, in singular: "replies" finds "reply" and "replied". */
function toPattern(word: string): RegExp {
  const stem = word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed|y)$/u, '') : word
  return new RegExp(`(?<![\\p{L}\\p{N}])${stem}[\\p{L}\\p{N}]*`, 'gu')
}

function rank({ title, texts }: DeviceItem, words: readonly RegExp[]) {
  const [titleText, text] = [foldLetters(title), foldLetters(texts.map(toPlainText).join(' '))]
  let [count, score] = [0, 0]
  for (const word of words) {
    const inTitle = titleText.search(word) >= 0
    const inText = text.search(word) >= 0
    if (inTitle || inText) count += 1
    score += (inTitle ? titleWeight : 0) + (inText ? 1 : 0)
  }
  return { count, score }
}

function toResult({ focusAreas: _, texts, title, ...item }: DeviceItem, words: readonly RegExp[]): SearchResult {
  const plain = texts.map(toPlainText)
  const text = plain.find((each) => words.some((word) => foldLetters(each).search(word) >= 0)) ?? plain[0] ?? ''
  return { ...item, title: mark(title, words), excerpt: mark(cutAround(text, words), words) }
}

/** The server escapes all texts in its HTML. */
const toPlainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

function cutAround(text: string, words: readonly RegExp[]): string {
  const folded = foldLetters(text)
  const positions = words.map((word) => folded.search(word)).filter((position) => position >= 0)
  const first = Math.max(0, Math.min(...positions, text.length) - lettersBefore)
  const start = positions.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1
  const cut = text.slice(start, start + excerptLength)
  return `${start > 0 ? '…' : ''}${cut}${start + excerptLength < text.length ? '…' : ''}`
}

function mark(text: string, words: readonly RegExp[]): MarkedText {
  const folded = foldLetters(text)
  // Folding an accented letter may change the length, and then the ranges would be wrong.
  if (folded.length !== text.length) return { text, marks: [] }
  const ranges = words
    .flatMap((word) =>
      [...folded.matchAll(word)].map(({ 0: found, index }): [number, number] => [index, index + found.length]),
    )
    .toSorted(([a], [b]) => a - b)
  return { text, marks: ranges.filter(([start], index) => index === 0 || start >= (ranges[index - 1]?.[1] ?? 0)) }
}

function countKinds(items: readonly DeviceItem[]): SearchAnswer['counts'] {
  const counts: Partial<Record<ContentKind, number>> = {}
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
