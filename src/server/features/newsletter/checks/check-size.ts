import type { Problem } from './problem.ts'

/** Gmail shows so much of a letter's HTML and hides the rest, with the link to unsubscribe, behind another click. */
const maxBytes = 102_000

export function checkSize(html: string): Problem[] {
  const bytes = Buffer.byteLength(html)
  if (bytes <= maxBytes) return []
  const message = `The email has ${Math.ceil(bytes / 1000)} kB. Gmail clips anything over ${maxBytes / 1000} kB`
  return [{ severity: 'error', check: 'size', message, place: null }]
}

/** What somebody without HTML reads: everything but the looks. */
export function checkPlainText(text: string | null, headings: readonly string[]): Problem[] {
  const problem = (message: string): Problem[] => [{ severity: 'error', check: 'plain-text', message, place: null }]
  if (text === null || text.trim() === '') return problem('The plain-text version is empty')
  const words = inOneLine(text)
  const missing = headings.filter((heading) => !words.includes(inOneLine(heading)))
  return missing.length > 0 ? problem(`The plain-text version is missing “${missing.join('”, “')}”`) : []
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().toUpperCase()
