import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '#client/lib/session.ts'

/**
 * What must not be set up on an address that may be somebody else's: whoever owns it would be locked out by the stranger
 * who typed it.
 */
export function RequireConfirmedEmail({ children }: { children: ReactNode }) {
  const { user } = useSession()
  if (user?.email_confirmed_at) return children
  return (
    <p className="text-muted">
      This needs an address that we know to be yours.{' '}
      <Link to="/auth/confirm" state={{ from: '/account/security' }} className="text-link">
        Confirm your address first
      </Link>
    </p>
  )
}
