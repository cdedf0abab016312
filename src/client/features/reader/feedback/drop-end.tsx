import { lazy, Suspense, useRef } from 'react'
import { useNearViewport } from '#client/ui/use-near-viewport.ts'

const DropFeedback = lazy(() => import('./drop-feedback.tsx'))

/** Poll, answer box and vote at the end of a drop. Loads once it is about to be on screen. */
export default function DropEnd({ issueId }: { issueId: string }) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(place)
  return (
    <div ref={place} className="min-h-24 print:hidden">
      {isNear && (
        <Suspense>
          <DropFeedback issueId={issueId} />
        </Suspense>
      )}
    </div>
  )
}
