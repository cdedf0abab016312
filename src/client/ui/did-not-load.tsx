import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type DidNotLoadProps = { children: ReactNode; retrying: boolean; onRetry: () => unknown }

/** In place of a part of a page that did not come. A page that did not come as a whole has its error state. */
export function DidNotLoad({ children, retrying, onRetry }: DidNotLoadProps) {
  return (
    <p role="alert" className="text-muted">
      {children}{' '}
      <Button variant="secondary" size="sm" pending={retrying} onClick={() => void onRetry()}>
        Try again
      </Button>
    </p>
  )
}
