import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type ConfirmButtonProps = Omit<ComponentProps<typeof Button>, 'title' | 'onClick'> &
  Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'> & {
    /** What is on the button. The children say the consequences, in the dialog. */
    label: ReactNode
  }

/** A button that asks before it acts. */
export function ConfirmButton({ label, title, action, keep, onConfirm, children, ...button }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ConfirmDialog title={title} action={action} keep={keep} onConfirm={onConfirm} onClose={() => setAsking(false)}>
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}
