import type { MailingProblem } from '#shared/contracts/publishing/mailing-preview.ts'
import type { Problem } from '#shared/contracts/publishing/publishable.ts'

const itemNames: Record<string, string> = { sections: 'Section', prompts: 'Prompt' }

/** "Section 3: The heading is missing" */
export function describeCheck({ path, message }: Problem): string {
  const [list = '', index] = path.split('.')
  const name = itemNames[list]
  return name && index ? `${name} ${Number(index) + 1}: ${message}` : message
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
