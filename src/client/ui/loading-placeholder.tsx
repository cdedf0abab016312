import type { ReactNode } from 'react'
import { useOnline } from '#client/lib/connection.ts'

/**
 * Around the skeleton of a list: seen as shapes, heard as one word. Offline it says what is missing instead; queries
 * continue by themselves once the browser is back online.
 */
export function LoadingPlaceholder({ children }: { children: ReactNode }) {
  const online = useOnline()
  if (!online) {
    return (
      <div role="status" className="border-y border-line py-12">
        <p className="display text-xl">You’re offline</p>
        <p className="mt-2 measure text-muted">
          This part hasn’t been loaded yet. It appears as soon as you’re back online.
        </p>
      </div>
    )
  }
  return (
    <div aria-busy>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div aria-hidden>{children}</div>
    </div>
  )
}
