import { Spinner } from './button.tsx'

/** Fills the page while the session is loading. */
export function LoadingScreen() {
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-muted">
      <p className="flex items-center gap-3">
        <Spinner />
        Loading...
      </p>
    </div>
  )
}
