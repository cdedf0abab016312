import { useEffect, useState } from 'react'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import type { DraftKeeper } from './draft-keeper.ts'

type LeaveGuardProps = { keeper: DraftKeeper; isSaved: boolean }

/** Saves on navigation, and asks for confirmation only if saving fails. */
export function LeaveGuard({ keeper, isSaved }: LeaveGuardProps) {
  const blocker = useLeaveBlocker(!isSaved)
  const { state } = blocker
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    if (state !== 'blocked') return setHasFailed(false)
    if (isSaved) return blocker.proceed?.()
    void keeper.flush().then((isSafe) => setHasFailed(!isSafe))
  }, [state, isSaved, keeper, blocker])

  if (state !== 'blocked' || !hasFailed) return null
  return (
    <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
      Your last changes couldn’t be saved. If you leave now, you’ll lose them.
    </UnsavedChangesDialog>
  )
}
