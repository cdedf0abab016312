import { CallError } from '#client/lib/calls.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'

type LoadErrorProps = {
  error: unknown
  /** "the weekly drops": completes "We could not load …". */
  what: string
  onRetry: () => void
  retrying: boolean
}

/** In place of a list that did not come: what happened and what to do next. */
export function LoadError({ error, what, onRetry, retrying }: LoadErrorProps) {
  const code = error instanceof CallError ? error.code : undefined
  if (code === 'not_subscribed') {
    return (
      <ErrorState
        title="You need an active subscription to access the portal"
        action={<ButtonLink to="/#pricing">Choose a Plan</ButtonLink>}
      >
        <p>Your account and preferences are kept. Everything opens again as soon as a plan is active.</p>
      </ErrorState>
    )
  }
  if (code === 'not_authenticated') {
    return (
      <ErrorState title="Your session has ended" action={<ButtonLink to="/auth">Sign In</ButtonLink>}>
        <p>Sign in again to go on where you left off.</p>
      </ErrorState>
    )
  }
  return (
    <ErrorState title={`We could not load ${what}`} onRetry={onRetry} retrying={retrying}>
      <p>
        {code === 'network'
          ? 'The server doesn’t answer. Check your connection. We keep trying, so you can leave this page open.'
          : 'Something went wrong on our side. Try again in a moment.'}
      </p>
    </ErrorState>
  )
}
