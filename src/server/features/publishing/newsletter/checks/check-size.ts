import type { Problem } from './mailing-problem.ts'

/** Gmail clips longer HTML, including the unsubscribe link. */
const maxBytes = 102_000

export function checkSize(html: string): Problem[] {
  const bytes = Buffer.byteLength(html)
  if (bytes <= maxBytes) return []
  const message = `The email is ${Math.ceil(bytes / 1000)} kB. Gmail clips anything over ${maxBytes / 1000} kB`
  return [{ severity: 'error', check: 'size', message, place: null }]
}

/** Checks that the plain-text version has every heading. */
export function checkPlainText(text: string | null, headings: readonly string[]): Problem[] {
  const problem = (message: string): Problem[] => [{ severity: 'error', check: 'plain-text', message, place: null }]
  if (text === null || text.trim() === '') return problem('The plain-text version is empty')
  const words = inOneLine(text)
  const missing = headings.filter((heading) => !words.includes(inOneLine(heading)))
  return missing.length > 0 ? problem(`The plain-text version is missing “${missing.join('”, “')}”`) : []
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().toUpperCase()
