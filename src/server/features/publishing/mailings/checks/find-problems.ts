import type { Deps } from '#server/deps.ts'
import { readIssueDrafts } from '#server/features/publishing/documents/issue-drafts.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { type MailingProblem, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { checkDepsOf } from './check-deps.ts'
import { checkMailing } from './check-mailing.ts'
import type { FetchLink } from './fetch-link.ts'
import { locateProblem, slugsIn } from './locate-problem.ts'

export type FindOptions = {
  /** A path that counts as published. */
  assumePublished?: string | null
  /** Skips links to other servers and the DNS records of the sender, so that the result is there at once. */
  withoutNetwork?: boolean
  /** An unsaved draft, which problems refer to instead of the saved one. */
  unsaved?: { id: string; draft: IssueDraft }
}

/** Runs all checks. Errors come first, duplicates are removed. */
export async function findProblems(
  deps: Pick<Deps, 'config' | 'database' | 'newsletterMailer'>,
  content: MailingContent,
  { assumePublished = null, withoutNetwork = false, unsaved }: FindOptions = {},
): Promise<MailingProblem[]> {
  const { pageExists, ...checks } = await checkDepsOf(deps)
  const isThere: typeof pageExists = async (path) => path === assumePublished || pageExists(path)
  const local = withoutNetwork ? { ...checks, fetchLink: skipLink, sender: null } : checks
  const problems = await checkMailing({ ...local, pageExists: isThere }, content)
  const sources = { ...(await readIssueDrafts(deps.database.db, problems.length > 0 ? slugsIn(content) : [])) }
  if (unsaved) sources.issues = new Map(slugsIn(content).map((slug) => [slug, unsaved]))
  const readable = problems.map(({ place, ...problem }) => ({
    ...problem,
    ...(place ? locateProblem(content, place, sources) : { place: null, target: null }),
  }))
  return [...new Map(readable.map((problem) => [problemText(problem), problem])).values()]
}

const skipLink: FetchLink = async () => ({ status: 200, location: null })
