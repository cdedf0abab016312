const maxWordsLength = 1_000
const maxAddressLength = 2_000
const maxTitleLength = 1_000

type Found = { at: number; end: number; words: string; address: string }

/** Finds the next match at or after a position. Remembers it, so that rising positions cost one pass over the text. */
function createFinder(text: string, pattern: RegExp): (from: number) => number {
  const search = new RegExp(pattern, 'g')
  let known = -1
  return (from) => {
    if (known >= from) return known
    search.lastIndex = from
    known = search.exec(text)?.index ?? Number.POSITIVE_INFINITY
    return known
  }
}

/** True after an odd number of backslashes, which make a character plain text. */
function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from--
  return (at - from) % 2 === 1
}

/** CommonMark's limit, which also bounds the time for texts of opening parentheses. */
const maxNesting = 32

/** Where an address ends, which can have parentheses in pairs. Infinity if it has no end within the permitted length. */
function endOfAddress(text: string, start: number): number {
  let open = 0
  for (let at = start; at < text.length && at - start <= maxAddressLength; at++) {
    const character = text.charAt(at)
    if (/[\s>]/.test(character)) return open === 0 ? at : Number.POSITIVE_INFINITY
    if (character === '(' && ++open > maxNesting) return Number.POSITIVE_INFINITY
    if (character === ')' && open-- === 0) return at
  }
  return Number.POSITIVE_INFINITY
}

/** `[text](address "title")` in Markdown, or with `![`. Takes time in proportion to the text, whatever it contains. */
function findAll(text: string, opening: '[' | '!['): Found[] {
  const found: Found[] = []
  const nextBracket = createFinder(text, /\]/)
  const nextEnd = createFinder(text, /[)\s>]/)
  const nextParenthesis = createFinder(text, /\)/)
  const nextWord = createFinder(text, /\S/)
  for (let at = text.indexOf(opening); at >= 0; ) {
    const from = at + opening.length
    const bracket = nextBracket(from)
    let end = 0
    const hasForm = bracket - from <= maxWordsLength && text[bracket + 1] === '('
    if (hasForm && !isEscaped(text, at) && !isEscaped(text, bracket)) {
      const word = nextWord(bracket + 2)
      const start = text[word] === '<' ? word + 1 : word
      const stop = text[word] === '<' ? nextEnd(start) : endOfAddress(text, start)
      // A finder that is asked for a position past the text finds nothing from then on.
      const close = stop < text.length ? nextParenthesis(stop) : Number.POSITIVE_INFINITY
      if (close < Number.POSITIVE_INFINITY && stop - start <= maxAddressLength && close - stop <= maxTitleLength + 1) {
        end = close + 1
        found.push({ at, end, words: text.slice(from, bracket), address: text.slice(start, stop) })
      }
    }
    at = text.indexOf(opening, end || at + 1)
  }
  return found
}

/** URL of an uploaded image. The fragment has its size, so that pages can reserve the space. */
const ours = /^\/media\/([0-9a-f]{64})\.(png|jpg)(?:#(\d{1,5})x(\d{1,5}))?$/

export type OwnImage = { path: string; hash: string; width: number | null; height: number | null }

/** Parses the URL of an uploaded image; null for any other URL. */
export function parseImageAddress(address: string): OwnImage | null {
  const [, hash, extension, width, height] = ours.exec(address) ?? []
  if (!hash) return null
  return {
    path: `/media/${hash}.${extension}`,
    hash,
    width: width ? Number(width) : null,
    height: height ? Number(height) : null,
  }
}

export const imagesIn = (markdown: string): { alt: string; address: string }[] =>
  findAll(markdown, '![').map(({ words, address }) => ({ alt: words.trim(), address }))

/** Replaces each image, as it is written. */
export function replaceImages(markdown: string, replacement: (written: string) => string): string {
  let end = 0
  const parts = findAll(markdown, '![').map((found) => {
    const before = markdown.slice(end, found.at)
    end = found.end
    return before + replacement(markdown.slice(found.at, found.end))
  })
  return parts.join('') + markdown.slice(end)
}

/** Links and images, as written and in this order; a linked image is both. */
export function linksIn(markdown: string) {
  const find = (text: string, isPicture: boolean) =>
    findAll(text, isPicture ? '![' : '[').map(({ at, end, words: { length }, address }) => {
      const written = markdown.slice(at, end)
      const from = isPicture ? 2 : 1
      return { at, written, isPicture, words: written.slice(from, from + length), address }
    })
  // Without brackets of images, the text of a link around them ends where it should.
  const withoutPictures = replaceImages(markdown, (written) => 'x'.repeat(written.length))
  return [...find(markdown, true), ...find(withoutPictures, false)]
    .sort((one, other) => one.at - other.at)
    .map(({ at: _, ...found }) => found)
}
