import type { Publication } from '#shared/publication-defaults.ts'

/** Fits 80 columns after being quoted twice. */
export const textColumns = 76

/** Wraps at word boundaries; longer words overflow. `hanging` indents every line but the first. */
export function wrapText(text: string, columns = textColumns, hanging = ''): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns, hanging))
    .join('\n')
}

function wrapLine(line: string, columns: number, hanging: string): string {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (longer.length > columns && (current.length > columns || current.trim() !== '')) {
      lines.push(current)
      current = hanging + word
    } else current = longer
  }
  return [...lines, current].map((each) => each.trimEnd()).join('\n')
}

/** Parts that the plain-text versions of all emails share. */

export const mastheadText = (publication: Publication, aside: string): string =>
  publication.name + (aside ? ` · ${aside}` : '')

/** A title with a double line under it. */
export function titleText(title: string): string {
  const lines = wrapText(title)
  return `${lines}\n${'='.repeat(Math.max(...lines.split('\n').map((line) => line.length)))}`
}

export const headingText = (words: string): string => wrapText(words.toUpperCase())

/** Names in one column, values in the next. */
export function factsText(facts: readonly (readonly [name: string, value: string])[]): string {
  const column = Math.max(...facts.map(([name]) => name.length)) + 3
  return facts
    .map(([name, value]) => wrapText(`${`${name}:`.padEnd(column)}${value}`, textColumns, ' '.repeat(column)))
    .join('\n')
}
