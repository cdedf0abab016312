import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type FormActionsProps = {
  /** The label of the submit button: "Change address". */
  action: string
  pending: boolean
  variant?: 'primary' | 'danger'
  onCancel: () => void
  /** Other buttons, such as "Send a new code". */
  children?: ReactNode
}

/** The submit and cancel buttons of an inline form. */
export function FormActions({ action, pending, variant = 'primary', onCancel, children }: FormActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant={variant} pending={pending}>
        {action}
      </Button>
      {children}
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
