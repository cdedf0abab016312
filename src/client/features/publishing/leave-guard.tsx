import { useEffect } from 'react'
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
  useEffect(() => {
    if (state !== 'blocked') return
    void keeper.flush().then((isSafe) => {
      if (isSafe) blocker.proceed?.()
    })
  }, [state, keeper, blocker])

  if (state !== 'blocked' || keeper.get().state.kind === 'saving' || keeper.get().state.kind === 'waiting') return null
  if (isSaved) return null
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
