import { useEffect } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { useRefreshSession } from '#client/features/auth/auth-emails.api.ts'
import { EmailCodeForm } from '#client/features/auth/email-code-form.tsx'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { returnPath } from '../location-state.ts'

/** The proof that an address is theirs, for somebody who has been let in before it. */
export function Component() {
  const { status, user } = useSession()
  const navigate = useNavigate()
  const { state } = useLocation()
  const next = returnPath(state)
  const confirmed = Boolean(user?.email_confirmed_at)
  const { mutate: refresh } = useRefreshSession()

  // The link may have been opened on a phone: this device would hear of it an hour later.
  useEffect(() => {
    if (status === 'signed-in') refresh()
  }, [status, refresh])

  if (status === 'loading') return <LoadingPage />
  if (!user) return <Navigate to="/auth" replace state={{ from: '/auth/confirm' }} />
  if (confirmed) return <Navigate to={next} replace />
  const email = user.email ?? ''
  return (
    <AuthFrame title="Confirm your address" back={{ to: next, label: 'Not now' }}>
      <EmailCodeForm
        purpose="confirmation"
        email={email}
        waitFirst={0}
        onVerified={() => {
          toast.success('Thank you. Your address is confirmed.')
          navigate(next, { replace: true })
        }}
      >
        <p className="text-lg wrap-anywhere">
          We wrote to <strong>{email}</strong> when you signed up. Open the link in that mail, or type its six digits
          here.
        </p>
        <p className="text-muted">Then your letters, and a new password should you need one, are sure to find you.</p>
      </EmailCodeForm>
    </AuthFrame>
  )
}
