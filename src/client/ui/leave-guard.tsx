import { useEffect, useState } from 'react'
import type { Autosave } from '#client/lib/autosave.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { UnsavedChangesDialog } from './unsaved-changes-dialog.tsx'

type LeaveGuardProps = { autosave: Pick<Autosave<unknown, unknown>, 'flush'>; isSaved: boolean }

/** Saves on navigation, and asks for confirmation only if saving fails. */
export function LeaveGuard({ autosave, isSaved }: LeaveGuardProps) {
  const blocker = useLeaveBlocker(!isSaved)
  const { state } = blocker
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    if (state !== 'blocked') return setHasFailed(false)
    if (isSaved) return blocker.proceed?.()
    void autosave.flush().then((isSafe) => setHasFailed(!isSafe))
  }, [state, isSaved, autosave, blocker])

  if (state !== 'blocked' || !hasFailed) return null
  return (
    <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
      Your last changes couldn’t be saved. If you leave now, you’ll lose them.
    </UnsavedChangesDialog>
  )
}
