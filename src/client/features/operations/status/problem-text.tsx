import { inWords } from '#client/lib/publication.ts'
import { PageLink } from '#client/ui/page-link.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Problem } from '#shared/contracts/operations/admin-status.ts'

type ProblemProps = { problem: Problem }

/** Links to the page that settles it, for roles that may open it. */
export const ProblemTitle = ({ problem: { title, path } }: ProblemProps) =>
  path ? (
    <PageLink to={path} className="font-semibold">
      {inWords(title)}
    </PageLink>
  ) : (
    <span className="font-semibold">{inWords(title)}</span>
  )

export const ProblemNote = ({ problem: { detail, since } }: ProblemProps) => (
  <>
    {since && (
      <>
        Since <Timestamp at={since} inline />.{' '}
      </>
    )}
    {detail}
  </>
)
