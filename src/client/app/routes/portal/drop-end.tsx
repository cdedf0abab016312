import { lazy, Suspense, useRef } from 'react'
import { publication } from '#client/lib/publication.ts'
import { useNearViewport } from '#client/ui/use-near-viewport.ts'

const Conversation = lazy(() => import('#client/features/reader/comments/conversation.tsx'))
const DropFeedback = lazy(() => import('#client/features/reader/feedback/drop-feedback.tsx'))

/** Poll, answer box, vote and readers' answers at the end of a drop. Loads once it is about to be on screen. */
export default function DropEnd({ issueId }: { issueId: string }) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(place)
  return (
    <div ref={place} className="min-h-24 print:hidden">
      {isNear && (
        <Suspense>
          <DropFeedback issueId={issueId} />
          {publication.comments !== 'off' && <Conversation issueId={issueId} />}
        </Suspense>
      )}
    </div>
  )
}
