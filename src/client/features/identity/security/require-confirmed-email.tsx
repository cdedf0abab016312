import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '#client/lib/session.ts'

/** Hides its children until the email is confirmed: factors on another person's address would lock its owner out. */
export function RequireConfirmedEmail({ children }: { children: ReactNode }) {
  const { user } = useSession()
  if (user?.email_confirmed_at) return children
  return (
    <p className="text-muted">
      To set this up, confirm your email first.{' '}
      <Link to="/auth/confirm" state={{ from: '/account/security' }} className="text-link">
        Confirm email
      </Link>
    </p>
  )
}
