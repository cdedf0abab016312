import type { ReactNode } from 'react'

/** Around the skeleton of a list: seen as shapes, heard as one word. */
export function LoadingPlaceholder({ children }: { children: ReactNode }) {
  return (
    <div aria-busy>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div aria-hidden>{children}</div>
    </div>
  )
}
