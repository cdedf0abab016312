import { lazy, Suspense, useSyncExternalStore } from 'react'
import { stepUpHost } from '#client/lib/step-up.ts'

const StepUpDialog = lazy(() => import('#client/features/security/step-up/step-up-dialog.tsx'))

/** Where "Please confirm that it is you" appears, whichever page the action is on. */
export function StepUpSlot() {
  const question = useSyncExternalStore(stepUpHost.subscribe, stepUpHost.question, () => null)
  if (!question) return null
  return (
    <Suspense fallback={null}>
      <StepUpDialog question={question} />
    </Suspense>
  )
}
