import { type ReactNode, useEffect } from 'react'
import { Button } from './button.tsx'

type ErrorStateProps = {
  /** The event, in one sentence. */
  title: string
  /** The next step. */
  children?: ReactNode
  onRetry?: () => void
  retrying?: boolean
  action?: ReactNode
}

export function ErrorState({ title, children, onRetry, retrying, action }: ErrorStateProps) {
  useEffect(
    () => () => {
      // A retry that worked removed the button that had the focus.
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <div role="alert" className="border-y border-line py-12">
      <p className="display text-xl">{title}</p>
      {children && <div className="mt-2 measure text-muted">{children}</div>}
      {(onRetry || action) && (
        <div className="mt-6 flex flex-wrap gap-3">
          {onRetry && (
            <Button variant="secondary" pending={retrying} onClick={onRetry}>
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  )
}
