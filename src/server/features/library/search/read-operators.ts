import { searchWords } from '#shared/domain/search-words.ts'

export type Operators = {
  /** The query without the excluded words. */
  text: string
  /** Quoted words, which have to follow each other. */
  phrases: string[]
  /** Words and phrases after a minus. */
  excluded: string[]
  /** Words joined by a hyphen or another sign, such as "1-star" or "24/7", and "no shows". They rank together. */
  compounds: string[][]
}

const quotes = /["“”„«»]/g
/** A minus sign excludes only before a word: "follow-up" has none. */
const excludedPart = /(?<=^|\s)[-−](?:"([^"]*)"|([\p{L}\p{N}]\S*))/gu
const phrasePart = /"([^"]+)"/g
const compoundPart = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-‐‑/.&][\p{L}\p{N}]+)+/gu

/** Reads quotes, minus signs and joined words. Their words are split and folded like the index. */
export function readOperators(query: string): Operators {
  const plain = query.replaceAll(quotes, '"')
  const excluded = [...plain.matchAll(excludedPart)].map(([, phrase, word]) => phrase ?? word ?? '')
  const text = plain.replaceAll(excludedPart, ' ')
  const compounds = [
    ...text
      .replaceAll(phrasePart, ' ')
      .replaceAll(/\bno shows?\b/gi, 'no-show')
      .matchAll(compoundPart),
  ]
  return {
    text: text.replaceAll('"', ' '),
    phrases: [...text.matchAll(phrasePart)].map(([, phrase = '']) => toWords(phrase)).filter(Boolean),
    excluded: excluded.map(toWords).filter(Boolean),
    compounds: compounds.map(([compound]) => searchWords(compound)).slice(0, 4),
  }
}

const toWords = (text: string) => searchWords(text).join(' ')
