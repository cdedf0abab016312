import type { Deps } from '#server/deps.ts'
import { type MailingProblem, problemInWords } from '#shared/contracts/admin-newsletter.ts'
import type { MailingContent } from '#shared/contracts/newsletter.ts'
import { checkDepsOf } from '../checks/check-deps.ts'
import { checkMailing } from '../checks/check-mailing.ts'
import { placeInWords } from '../checks/problem.ts'

/** What the checks find in a letter, errors first, each place in words. What reads the same is told once. */
export async function findProblems(
  deps: Pick<Deps, 'config' | 'database' | 'post'>,
  content: MailingContent,
): Promise<MailingProblem[]> {
  const problems = await checkMailing(await checkDepsOf(deps), content)
  const told = problems.map((problem) => ({ ...problem, place: problem.place && placeInWords(problem.place) }))
  return [...new Map(told.map((problem) => [problemInWords(problem), problem])).values()]
}
