import { useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import type { DraftKeeper } from './draft-keeper.ts'

type LeaveGuardProps = { keeper: DraftKeeper; isSaved: boolean }

/** Whoever leaves in the middle of a sentence has it saved on the way out, and is only asked where that fails. */
export function LeaveGuard({ keeper, isSaved }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => !isSaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (isSaved) return
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handleUnload)
    return () => window.removeEventListener('beforeunload', handleUnload)
  }, [isSaved])

  const { state } = blocker
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    if (state !== 'blocked') return setHasFailed(false)
    if (isSaved) return blocker.proceed?.()
    void keeper.flush().then((isSafe) => setHasFailed(!isSafe))
  }, [state, isSaved, keeper, blocker])

  if (state !== 'blocked' || !hasFailed) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      Your last changes could not be saved. They are lost when you leave.
    </ConfirmDialog>
  )
}
