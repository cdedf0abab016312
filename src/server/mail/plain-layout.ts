import type { Publication } from '#shared/publication-defaults.ts'
import { textColumns, wrapText } from './wrap-text.ts'

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
