import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { CallError } from '#client/lib/call-error.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from './button.tsx'
import { ButtonLink } from './button-link.tsx'
import { ErrorState } from './error-state.tsx'

type LoadErrorProps = {
  /** Completes "We couldn’t load …", for example "the weekly drops". */
  what: string
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** True if the server refuses admin pages until two-factor authentication is set up. */
export const isMfaSetupRequired = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === 'mfa_setup_required'

/** Shown instead of a list or page whose query failed. */
export function LoadError({ what, query }: LoadErrorProps) {
  const { error } = query
  if (isMfaSetupRequired(error)) return <RedirectToSecurity reason={error.message} />
  const code = error instanceof CallError ? error.code : undefined
  if (code === 'not_subscribed') {
    return (
      <ErrorState
        title="You need an active subscription to access the portal"
        action={<ButtonLink to="/#pricing">{publication.labels.choosePlan}</ButtonLink>}
      >
        <p>We keep your account and preferences. The portal opens again when you choose a plan.</p>
      </ErrorState>
    )
  }
  if (code === 'not_authenticated') {
    return (
      <ErrorState
        title="Your session has ended"
        action={<ButtonLink to="/auth">{publication.labels.signIn}</ButtonLink>}
      >
        <p>Sign in again to continue where you left off.</p>
      </ErrorState>
    )
  }
  return (
    <ErrorState title={`We couldn’t load ${what}`} onRetry={() => void query.refetch()} retrying={query.isFetching}>
      <p>
        {code === 'network'
          ? 'We can’t reach the server. Check your connection. We’ll keep trying while this page is open.'
          : 'Something went wrong on our end. Try again in a moment.'}
      </p>
    </ErrorState>
  )
}

function RedirectToSecurity({ reason }: { reason: string }) {
  useEffect(() => {
    toast.error(reason, { id: reason })
  }, [reason])
  return <Navigate to="/account/security" replace />
}

type InlineLoadErrorProps = { children: ReactNode; retrying: boolean; onRetry: () => unknown }

/** Shown instead of a part of a page whose query failed. */
export function InlineLoadError({ children, retrying, onRetry }: InlineLoadErrorProps) {
  return (
    <p role="alert" className="text-muted">
      {children}{' '}
      <Button variant="secondary" size="sm" pending={retrying} onClick={() => void onRetry()}>
        Try again
      </Button>
    </p>
  )
}
