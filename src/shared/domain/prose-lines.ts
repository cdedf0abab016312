/** Lines of a Markdown text, from 1. `isQuoted` is true in quotations and code, which are for the reader to copy. */
export function proseLines(markdown: string): { line: number; text: string; isQuoted: boolean }[] {
  let fence: string | null = null
  return markdown.split('\n').map((text, index) => {
    const [, mark] = /^\s*(```|~~~)/.exec(text) ?? []
    const isInside = fence !== null || mark !== undefined
    if (mark) fence = fence === null ? mark : fence === mark ? null : fence
    return { line: index + 1, text, isQuoted: isInside || /^\s*>|^ {4}|^\t/.test(text) }
  })
}

export const withoutCode = (text: string): string =>
  text.replaceAll(/`[^`\n]*`/g, (written) => ' '.repeat(written.length))

/** Replaces inline code, and addresses of links, by blanks of the same length. */
export const withoutCodeAndAddresses = (text: string): string =>
  text.replaceAll(/`[^`\n]*`|(?<=\])\([^)\s\]]*\)|https?:\/\/\S+/g, (written) => ' '.repeat(written.length))

/** Number of the line, from 1, at a position of the text. */
export function createLineCounter(text: string): (at: number) => number {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (at) => {
    let low = 0
    let high = breaks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((breaks[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
