import type { MarkedText } from '#shared/contracts/library/search.ts'
import { foldLetters } from '#shared/domain/search-words.ts'

const excerptLength = 200

type Word = { start: number; end: number; folded: string }

/** Words of a text with their place, split like the index. */
const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    folded: foldLetters(word),
  }))

type IsMatch = (word: string) => boolean

/** The text with the words that match. */
export const markMatches = (text: string, isMatch: IsMatch): MarkedText => ({
  text,
  marks: wordsIn(text)
    .filter(({ folded }) => isMatch(folded))
    .map(({ start, end }) => [start, end]),
})

/** The part of the text with the most different matching words, cut at words; the start if none matches. */
export function findExcerpt(text: string, isMatch: IsMatch): MarkedText & { matches: number } {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const words = wordsIn(line)
  const hits = words.filter(({ folded }) => isMatch(folded))
  let best = { start: 0, matches: 0 }
  for (const [index, { start }] of hits.entries()) {
    const inside = new Set<string>()
    for (let at = index; at < hits.length && (hits[at]?.end ?? 0) <= start + excerptLength; at += 1) {
      inside.add(hits[at]?.folded ?? '')
    }
    if (inside.size > best.matches) best = { start, matches: inside.size }
  }
  const cut = cutAround(line, words, best.start)
  return { ...markMatches(cut, isMatch), matches: best.matches }
}

/** About `excerptLength` characters around a position, with ellipses where text is left out. */
function cutAround(line: string, words: readonly Word[], around: number): string {
  if (line.length <= excerptLength) return line
  const sentence = Math.max(
    line.lastIndexOf('. ', around),
    line.lastIndexOf('? ', around),
    line.lastIndexOf(': ', around),
  )
  const wanted = around - sentence <= excerptLength / 3 && sentence >= 0 ? sentence + 2 : Math.max(0, around - 40)
  const from = wanted === 0 ? 0 : (words.find(({ start }) => start >= wanted)?.start ?? 0)
  const last = words.findLast(({ end }) => end <= from + excerptLength)
  const to = line.length - from <= excerptLength ? line.length : (last?.end ?? from + excerptLength)
  return `${from > 0 ? '… ' : ''}${line.slice(from, to)}${to < line.length ? ' …' : ''}`
}
