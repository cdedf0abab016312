import type { ReactNode } from 'react'
import { useOnline } from '#client/lib/connection.ts'

/**
 * Wraps a skeleton; screen readers hear "Loading...". Offline it explains what is missing. Queries resume when the browser
 * is back online.
 */
export function LoadingPlaceholder({ children }: { children: ReactNode }) {
  const online = useOnline()
  if (!online) {
    return (
      <div role="status" className="border-y border-line py-12">
        <p className="display text-xl">You’re offline</p>
        <p className="mt-2 measure text-muted">This part hasn’t loaded yet. It appears when you’re back online.</p>
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
