import type { MailingProblem } from '#shared/contracts/publishing/mailing-preview.ts'
import type { Problem } from '#shared/contracts/publishing/publishable.ts'

/** "Section 3: The heading is missing". `hasText`: the drop begins with a text, which is its first section. */
export function describeCheck({ path, message }: Problem, hasText = false): string {
  const [list, index] = path.split('.')
  if (index === undefined) return message
  if (list === 'prompts') return `Prompt ${Number(index) + 1}: ${message}`
  if (list !== 'sections' || (hasText && index === '0')) return message
  return `${nameOf(Number(index), hasText)}: ${message}`
}

/** The line that a message begins with, "Line 3: …", or null. */
export const lineOf = (message: string): number | null => Number(/^Line (\d+): /.exec(message)?.[1]) || null

/** The field of a drop that an email problem is in. The subject and preview text come from its title and preview. */
export function placeOf({ target }: MailingProblem): { path: string; line: number | null } | null {
  if (target?.in === 'drop') return { path: target.field, line: target.line }
  if (target?.in === 'mailing') return { path: target.field === 'preheader' ? 'preview' : 'title', line: null }
  return null
}

/** Checks of the email whose rule also applies to publishing. */
const sharedChecks = ['placeholder', 'link', 'picture', 'no-text']

/** Email problems without those that the problems of publishing already name in the same line. */
export function withoutRepeats(ofEmail: readonly MailingProblem[], problems: readonly Problem[]): MailingProblem[] {
  const known = new Set(problems.map(({ path, message }) => `${path} ${lineOf(message) ?? 1}`))
  const isEmpty = problems.some(({ path }) => path === 'title' || path === 'preview')
  return ofEmail.filter((problem) => {
    const place = placeOf(problem)
    if (problem.check === 'no-text') return problems.length === 0
    if (problem.check === 'subject' && isEmpty && place?.path === 'title') return problem.severity === 'warning'
    if (problem.check === 'preheader') return !problems.some(({ path }) => path === 'preview')
    return !(place && sharedChecks.includes(problem.check) && known.has(`${place.path} ${place.line ?? 1}`))
  })
}

/** Warnings without those in a line that an error of the email is about. */
export function withoutErrors(warnings: readonly Problem[], errors: readonly MailingProblem[]): Problem[] {
  const known = new Set(errors.map(placeOf).flatMap((place) => (place ? `${place.path} ${place.line ?? 1}` : [])))
  return warnings.filter(({ path, message }) => !known.has(`${path} ${lineOf(message) ?? 1}`))
}

/** "Section 2, text" as the editor numbers it: with a text before the sections, the first one isn't numbered. */
export const placeIn = (place: string, hasText: boolean): string =>
  hasText ? place.replace(/^Section (\d+)/, (_, number) => nameOf(Number(number) - 1, hasText)) : place

const nameOf = (index: number, hasText: boolean) =>
  hasText && index === 0 ? 'Text' : `Section ${hasText ? index : index + 1}`
