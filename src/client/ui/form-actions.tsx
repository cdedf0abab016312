import type { ReactNode } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from './button.tsx'
import { FormError } from './form-error.tsx'

type FormActionsProps = {
  /** The label of the submit button: "Change address". */
  action: string
  /** What the form makes, if it takes time or can fail. */
  change?: { isPending: boolean; error: Error | null }
  /** Shown in place of the change's error. */
  error?: ReactNode
  variant?: 'primary' | 'danger'
  /** In place of `change`, for a form that shows its error elsewhere. */
  pending?: boolean
  onCancel: () => void
  /** Other buttons, such as "Send a new code". */
  children?: ReactNode
}

/** The end of an inline form: its error, and its submit and cancel buttons. */
export function FormActions(props: FormActionsProps) {
  const { action, change, error, variant = 'primary', pending = change?.isPending ?? false, onCancel, children } = props
  return (
    <>
      {change && <FormError>{error || formErrorMessage(change.error)}</FormError>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={variant} pending={pending}>
          {action}
        </Button>
        {children}
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}
