import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { MembersFrame } from '#client/app/layouts/members-layout.tsx'
import Conversation, { commentsQuery } from '#client/features/reader/comments/conversation.tsx'
import { ownWords } from '#client/lib/publication.ts'
import { PageHeading } from '#client/ui/page-parts.tsx'

/** The answers under a drop on their own page, for everyone with an account. The staff's list links here. */
export function Component() {
  const { issueId = '' } = useParams()
  const drop = useInfiniteQuery(commentsQuery(issueId)).data?.pages[0]?.drop
  return (
    <MembersFrame>
      <PageHeading title={drop?.title ?? 'Answers'} />
      {drop && (
        <Link to={drop.path} reloadDocument className="text-link mb-6 inline-flex min-h-11 items-center">
          {ownWords`Read the drop`}
        </Link>
      )}
      <Conversation issueId={issueId} />
    </MembersFrame>
  )
}
