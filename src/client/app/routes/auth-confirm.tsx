import { useEffect } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { useRefreshSession } from '#client/features/identity/auth/auth-emails.api.ts'
import { EmailCodeForm } from '#client/features/identity/auth/email-code-form.tsx'
import { ownWords } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { joinedState, returnPath } from '../sign-in-location-state.ts'

/** Confirms the email of an account that is signed in already. */
export function Component() {
  const { status, user } = useSession()
  const navigate = useNavigate()
  const { state } = useLocation()
  const next = returnPath(state)
  const confirmed = Boolean(user?.email_confirmed_at)
  const { mutate: refresh } = useRefreshSession()

  // The link may have been opened on another device.
  useEffect(() => {
    if (status === 'signed-in') refresh()
  }, [status, refresh])

  if (status === 'loading') return <LoadingPage />
  if (!user) return <Navigate to="/auth" replace state={{ from: '/auth/confirm' }} />
  if (confirmed) return <Navigate to={next} replace state={joinedState} />
  const email = user.email ?? ''
  return (
    <AuthFrame title="Confirm your email" back={{ to: next, label: 'Not now' }}>
      <EmailCodeForm
        purpose="confirmation"
        email={email}
        waitFirst={0}
        onVerified={() => {
          toast.success('Your email is confirmed.')
          navigate(next, { replace: true, state: joinedState })
        }}
      >
        <p className="text-lg wrap-anywhere">
          We emailed <strong>{email}</strong> when you signed up. Open the link in that email, or enter its six-digit
          code here.
        </p>
        <p className="text-muted">{ownWords`Confirm it so you receive every drop and can reset your password.`}</p>
      </EmailCodeForm>
    </AuthFrame>
  )
}
