import { CommentQueue } from '#client/features/reader/comments/comment-queue.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading
        className="mb-6"
        title="Answers"
        lede="What readers write under drops: questions to you, and answers to approve."
      />
      <CommentQueue />
    </>
  )
}
