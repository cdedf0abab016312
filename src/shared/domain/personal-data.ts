import names from './common-names.json' with { type: 'json' }
import { foldName } from './fold-name.ts'

/** A stretch of a text that may say who someone is. `word`: one of the reader's own list. */
export type PersonalKind = 'name' | 'card' | 'phone' | 'email' | 'word'
export type Found = { kind: PersonalKind; start: number; end: number }
export type Replaceable = Found & { text: string; standIn: string }

/** Each reads a limited number of characters from any place, so that hostile texts take time in proportion to their length. */
const email = /[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g
const card = /(?<![\d.])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\d.]\d)/g
const phone =
  /(?<![\p{L}\d$€£#.])(?:(?:\+?1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-]?)[2-9]\d\d[ .-]?\d{4}|\+\d{1,3}(?:[ .-]?\d{2,4}){2,5})(?!\d)/gu
const word = /[\p{L}\p{M}\p{N}]+/gu

type Token = { start: number; end: number; text: string; folded: string }
const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(word), ({ 0: found, index: start }) => ({
    ...{ start, end: start + found.length, text: found, folded: foldName(found) },
  }))

/**
 * Finds names, card and phone numbers, email addresses and the reader's own words, in the order of the text and without
 * overlaps. A name must be common, or follow a title or a label, so it never finds everything.
 */
export function findPersonalData(text: string, ownWords: readonly string[] = []): Found[] {
  const tokens = tokensOf(text)
  const matches = (kind: PersonalKind, pattern: RegExp, isIt = (_: string) => true): Found[] =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: found, index: start }) =>
      isIt(found) ? { kind, start, end: start + found.length } : [],
    )
  const found = [
    ...matches('email', email),
    ...matches('card', card, isValidCard),
    ...matches('phone', phone),
    ...findNames(text, tokens),
    ...findOwnWords(tokens, ownWords),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end)
  let end = 0
  return found.filter((each) => {
    if (each.start < end) return false
    end = each.end
    return true
  })
}

const isValidCard = (written: string): boolean => {
  const digits = written.replaceAll(/\D/g, '')
  const doubled = [...digits].toReversed().map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
  return doubled.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const firstNames = setOf(names.firstNames)
const wordsAndNames = setOf(names.wordsAndNames)
const surnames = setOf(names.surnames)
const titles = setOf('mr mrs ms miss mx dr sr sra srta senor senora')
const labels = setOf('name guest customer client patient employee member cashier server')
const places = setOf('san santa saint st fort port lake mount')
const notSurnames = setOf('i monday tuesday wednesday thursday friday saturday sunday')
const maxNameWords = 4
const isCapitalized = ({ text }: Token) => /^\p{Lu}/u.test(text)
const isInCapitals = ({ text }: Token) => text.length > 1 && text === text.toUpperCase()

function findNames(text: string, words: readonly Token[]): Found[] {
  const found: Found[] = []
  const gapAfter = (index: number) => {
    const [before, after] = [words[index], words[index + 1]]
    return before && after && after.start - before.end <= 2 ? text.slice(before.end, after.start) : ''
  }
  const isSurname = (index: number, first: Token) => {
    const next = words[index]
    if (!next || !/^[ ’'-]$/.test(gapAfter(index - 1))) return false
    const isWritten = isCapitalized(first) && isCapitalized(next) && !isInCapitals(first)
    return surnames.has(next.folded) || (isWritten && !notSurnames.has(next.folded))
  }
  let free = 0
  for (const [index, first] of words.entries()) {
    if (index < free) continue
    const [before, next] = [words[index - 1]?.folded ?? '', words[index + 1]?.folded ?? '']
    const isTitled = titles.has(before) && /^\.? $/.test(gapAfter(index - 1))
    const isIntroduced = isTitled || (labels.has(before) && /^: ?$/.test(gapAfter(index - 1)))
    const isFirst = firstNames.has(first.folded) && !places.has(before)
    const isDouble = wordsAndNames.has(first.folded) && gapAfter(index) === ' ' && surnames.has(next)
    if (!isFirst && !(isCapitalized(first) && (isDouble || isIntroduced))) continue
    free = index + 1
    while (free < index + maxNameWords && isSurname(free, first)) free += 1
    const { start } = (isTitled && words[index - 1]) || first
    found.push({ kind: 'name', start, end: words[free - 1]?.end ?? first.end })
  }
  return found
}

function findOwnWords(words: readonly Token[], ownWords: readonly string[]): Found[] {
  const phrases = ownWords.map((each) => tokensOf(each).map(({ folded }) => folded))
  const byFirst = Map.groupBy(phrases, ([first = '']) => first)
  return words.flatMap(({ start, folded }, index) =>
    (byFirst.get(folded) ?? []).flatMap((phrase) => {
      const isHere = phrase.every((part, offset) => words[index + offset]?.folded === part)
      return isHere ? { kind: 'word' as const, start, end: words[index + phrase.length - 1]?.end ?? start } : []
    }),
  )
}

/**
 * Gives the same text the same stand-in: "[guest 1]". A single word of a longer name counts as that name. Stand-ins that the
 * text has already are skipped.
 */
export function withStandIns(text: string, found: readonly Found[]): Replaceable[] {
  const standIns = new Map<string, string>()
  const taken = new Set(Array.from(text.matchAll(/\[[a-z]{4,5} \d{1,9}\]/g), ([written]) => written))
  const used: Partial<Record<PersonalKind, number>> = {}
  const keyOf = ({ kind, start, end }: Found) => {
    const value = text.slice(start, end)
    return kind === 'phone' || kind === 'card' ? value.replaceAll(/\D/g, '').slice(-10) : foldName(value)
  }
  const byLength = (a: string, b: string) => a.length - b.length
  const fullNames = found.flatMap((each) => (each.kind === 'name' ? keyOf(each) : [])).toSorted(byLength)
  const longer = new Map(fullNames.flatMap((name) => name.split(/[^\p{L}]/u).map((part) => [part, name] as const)))
  return found.map((each) => {
    const { kind, start, end } = each
    const own = keyOf(each)
    const key = `${kind} ${kind === 'name' ? (longer.get(own) ?? own) : own}`
    let standIn = standIns.get(key)
    while (!standIn || (!standIns.has(key) && taken.has(standIn))) {
      used[kind] = (used[kind] ?? 0) + 1
      standIn = `[${kind === 'name' ? 'guest' : kind} ${used[kind]}]`
    }
    standIns.set(key, standIn)
    return { kind, start, end, text: text.slice(start, end), standIn }
  })
}

/** The text with stand-ins in place of what was found. */
export const replaceFound = (text: string, found: readonly Replaceable[]): string => {
  const ends = [0, ...found.map(({ end }) => end)]
  const kept = found.map(({ start, standIn }, index) => text.slice(ends[index], start) + standIn)
  return kept.join('') + text.slice(ends.at(-1))
}
