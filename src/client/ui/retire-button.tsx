import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type RetireButtonProps = {
  name: string
  isRetired: boolean
  /** Retires with true, restores with false. */
  retire: { isPending: boolean; mutate: (retired: boolean) => void }
  /** Name of the button that confirms, such as "Retire plan". */
  action: string
  /** Name of the button that restores, such as "Put back on sale". */
  restore: string
  /** Says what retiring means. */
  children: ReactNode
}

/** Retires something after a confirmation, or restores it. */
export function RetireButton({ name, isRetired, retire, action, restore, children }: RetireButtonProps) {
  const [asking, setAsking] = useState(false)
  if (isRetired) {
    return (
      <Button
        variant="secondary"
        size="sm"
        aria-label={`${restore}: ${name}`}
        pending={retire.isPending}
        onClick={() => retire.mutate(false)}
      >
        {restore}
      </Button>
    )
  }
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Retire ${name}`}
        pending={retire.isPending}
        onClick={() => setAsking(true)}
      >
        Retire
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Retire ${name}?`}
          action={action}
          onConfirm={() => retire.mutate(true)}
          onClose={() => setAsking(false)}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}
