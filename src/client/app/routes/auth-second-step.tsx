import { useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { MfaChallenge } from '#client/features/identity/auth/mfa/mfa-challenge.tsx'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { returnPath } from '../sign-in-location-state.ts'

/** Two-step verification at sign-in, then back to the page the user was going to. */
export function Component() {
  const { status, user } = useSession()
  const pendingMfa = usePendingMfa()
  const { state } = useLocation()
  const welcomed = useRef(false)
  if (status === 'loading' || pendingMfa === 'unknown') return <LoadingPage />
  if (!user) return <Navigate to="/auth" replace state={state} />
  const next = returnPath(state)
  if (pendingMfa === 'none') return <Navigate to={next} replace />

  // One notification only: two would cover the page on a phone.
  const handlePassed = (note = "You've successfully signed in.") => {
    if (welcomed.current || next === '/reset-password') return
    welcomed.current = true
    toast.success('Welcome back!', { description: note })
  }
  return (
    <AuthFrame title="Two-step verification">
      <MfaChallenge onPassed={handlePassed} />
      <div className="mt-10 grid gap-1 text-sm text-muted">
        <p className="wrap-anywhere">You’re signing in as {user.email}.</p>
        <p>
          Can’t use any of these? Reply to one of our emails. We’ll verify your identity, which takes about a day, and
          help you sign in.
        </p>
        <div className="-ml-3">
          <Button variant="quiet" size="sm" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      </div>
    </AuthFrame>
  )
}
