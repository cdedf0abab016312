import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type UnsavedChangesDialogProps = {
  /** The changes that would be lost. */
  children: ReactNode
  onLeave: () => void
  onStay: () => void
}

/** Asks before leaving a page with unsaved changes. */
export function UnsavedChangesDialog({ children, onLeave, onStay }: UnsavedChangesDialogProps) {
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <div className="mt-2 text-muted">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={onStay}>Keep editing</Button>
        <Button variant="secondary" onClick={onLeave}>
          Leave
        </Button>
      </div>
    </Dialog>
  )
}
