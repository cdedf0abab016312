import { useEffect, useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { useSession } from '#client/lib/session.ts'
import { hasUnfinishedOnboarding, onboardingDraftKey } from '#client/lib/stored-session.ts'
import { toast } from '#client/lib/toast.ts'
import { LoadingPage } from './loading-page.tsx'
import { hasJustJoined, type ReturnState } from './sign-in-location-state.ts'

/*
 * Guards redirect users away from pages they can't use. They are no protection: the server checks every
 * call.
 */

/** Requires a complete sign-in, including the second factor. After signing in, users return to the page they wanted. */
export function SessionGuard() {
  const session = useSession()
  const { status } = session
  const pendingMfa = usePendingMfa()
  const { pathname, search, hash } = useLocation()
  // After signing out on purpose, the next sign-in starts at the portal instead of returning here.
  const wasInside = useRef(false)
  useEffect(() => {
    if (status === 'signed-in') wasInside.current = true
  }, [status])
  const state: ReturnState = { from: pathname + search + hash }
  if (status === 'loading') return <LoadingPage />
  if (status === 'signed-out') {
    const { ended } = session
    return <Navigate to="/auth" replace state={wasInside.current && !ended ? null : { ...state, ended }} />
  }
  if (pendingMfa === 'unknown') return <LoadingPage />
  if (pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={state} />
  return <Outlet />
}

/** Requires a plan. Someone who closed the questions of the sign-up goes on with them first. */
export function SubscriberGuard() {
  const { user } = useSession()
  const { status, subscription } = useSubscription()
  const { state, pathname, search, hash } = useLocation()
  if (hasUnfinishedOnboarding(localStorage.getItem(onboardingDraftKey), user?.email, Date.now())) {
    return <Navigate to="/auth" replace state={{ from: pathname + search + hash } satisfies ReturnState} />
  }
  if (status === 'unknown') return <LoadingPage />
  if (!subscription.subscribed && hasJustJoined(state)) return <Navigate to="/#pricing" replace />
  if (!subscription.subscribed) {
    return <TurnAway to="/" because="You need an active subscription to access the portal" />
  }
  return <Outlet />
}

export function AdminGuard() {
  const { status, role } = useStaffRole()
  if (status === 'unknown') return <LoadingPage />
  if (!role) return <TurnAway to="/portal" because="Access denied. Admin privileges required." />
  return <Outlet />
}

/** Shows the reason in a toast; its id prevents duplicates when the guard renders again. */
function TurnAway({ to, because }: { to: string; because: string }) {
  useEffect(() => {
    toast.error(because, { id: because })
  }, [because])
  return <Navigate to={to} replace />
}
