import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ConfirmButton } from './dialog.tsx'

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
    <ConfirmButton
      label="Retire"
      variant="secondary"
      size="sm"
      aria-label={`Retire ${name}`}
      pending={retire.isPending}
      title={`Retire ${name}?`}
      action={action}
      onConfirm={() => retire.mutate(true)}
    >
      {children}
    </ConfirmButton>
  )
}
