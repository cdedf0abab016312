import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  /** A question: "Remove this passkey?" */
  title: string
  /** The consequences. */
  children: ReactNode
  /** The verb of the question: "Remove". */
  action: string
  /** Label of the other button. */
  keep?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that can't be undone. */
export function ConfirmDialog({ title, children, action, keep = 'Keep it', onConfirm, onClose }: ConfirmDialogProps) {
  const handleConfirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-2 text-muted">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger" onClick={handleConfirm}>
          {action}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {keep}
        </Button>
      </div>
    </Dialog>
  )
}
