import { useEffect } from 'react'
import { Navigate, Outlet } from 'react-router'
import { useIsAdmin } from '#client/features/auth/role.api.ts'
import { useSubscription } from '#client/features/billing/billing.api.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { LoadingPage } from './loading-page.tsx'

/*
 * Who sees what (spec §2 and §6). Guards spare people pages that would be empty for them; what may be read is decided
 * by the server alone.
 */

export function SessionGuard() {
  const { status } = useSession()
  if (status === 'loading') return <LoadingPage />
  if (status === 'signed-out') return <Navigate to="/auth" replace />
  return <Outlet />
}

export function SubscriberGuard() {
  const { status, subscription } = useSubscription()
  if (status === 'unknown') return <LoadingPage />
  if (!subscription.subscribed) {
    return <TurnAway to="/" because="You need an active subscription to access the portal" />
  }
  return <Outlet />
}

export function AdminGuard() {
  const { status, isAdmin } = useIsAdmin()
  if (status === 'unknown') return <LoadingPage />
  if (!isAdmin) return <TurnAway to="/portal" because="Access denied. Admin privileges required." />
  return <Outlet />
}

/** Says why before leaving; the id keeps it to one message however often the guard renders. */
function TurnAway({ to, because }: { to: string; because: string }) {
  useEffect(() => {
    toast.error(because, { id: because })
  }, [because])
  return <Navigate to={to} replace />
}
