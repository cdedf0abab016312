import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type FormActionsProps = {
  /** What the form does: "Change address". */
  action: string
  pending: boolean
  variant?: 'primary' | 'danger'
  onCancel: () => void
  /** What can be done in between: send a code again, say. */
  children?: ReactNode
}

/** The end of a form that was opened on a page: do it, or leave things as they are. */
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
