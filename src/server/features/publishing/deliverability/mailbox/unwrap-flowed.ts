/**
 * Joins the wrapped lines of a text with `format=flowed` (RFC 3676, 4.5): only lines of the same quote depth, and no empty
 * line or signature.
 */
export function unwrapFlowed(text: string, deletesSpace: boolean): string {
  const paragraphs: string[][] = []
  let openDepth = -1
  for (const line of text.split(/\r?\n/)) {
    const marks = /^>*/.exec(line)?.[0] ?? ''
    const words = line.slice(marks.length).replace(/^ /, '')
    const isFixed = words === '' || words === '-- '
    const isWrapped = !isFixed && words.endsWith(' ')
    const piece = isWrapped && deletesSpace ? words.slice(0, -1) : words
    if (!isFixed && openDepth === marks.length) paragraphs.at(-1)?.push(piece)
    else paragraphs.push([before(marks, words), piece])
    openDepth = isWrapped ? marks.length : -1
  }
  return paragraphs.map((pieces) => pieces.join('')).join('\n')
}

/** A ">" that isn't a quote mark is indented, as it would read like one. */
const before = (marks: string, words: string): string => (marks && `${marks} `) || (words.startsWith('>') ? '    ' : '')
