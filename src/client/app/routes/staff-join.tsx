import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { staffInvitationQuery } from '#client/features/identity/staff/staff.api.ts'
import { StaffInvitationCard } from '#client/features/identity/staff/staff-invitation-card.tsx'
import { isTransient } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import type { ReturnState } from '../sign-in-location-state.ts'

/** Joins the staff by the link of an invitation email, which has a token in its fragment. */
export function Component() {
  const { status, user } = useSession()
  const pendingMfa = usePendingMfa()
  const navigate = useNavigate()
  const { pathname, hash } = useLocation()
  const token = new URLSearchParams(hash.slice(1)).get('invitation') ?? ''
  const { data, error, isFetching, refetch } = useQuery({ ...staffInvitationQuery(token), enabled: token !== '' })
  const state: ReturnState = { from: pathname + hash }

  if (status === 'loading' || (user && pendingMfa === 'unknown')) return <LoadingPage />
  if (user && pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={state} />

  const handleJoined = () => {
    toast.success('Welcome to the staff')
    navigate('/admin', { replace: true })
  }
  const problem = token === '' ? 'Open the link in your invitation email.' : error && errorMessage(error)
  return (
    <AuthFrame title="Join the staff" back={{ to: '/', label: 'Back to home' }}>
      {data ? (
        <StaffInvitationCard
          invitation={data}
          token={token}
          ownEmail={user ? (user.email ?? '') : null}
          confirmation={
            user && !user.email_confirmed_at ? (
              <>
                <p>Before you join, confirm your email address with the code we sent to {user.email}.</p>
                <ButtonLink to="/auth/confirm" state={state} block>
                  Enter code
                </ButtonLink>
              </>
            ) : null
          }
          onJoined={handleJoined}
          signInOptions={
            <div className="grid gap-3">
              <ButtonLink to="/auth?mode=sign-up" state={{ ...state, email: data.email }} block>
                Create an account
              </ButtonLink>
              <ButtonLink to="/auth" state={{ ...state, email: data.email }} variant="secondary" block>
                Sign in
              </ButtonLink>
            </div>
          }
        />
      ) : problem ? (
        <div className="grid gap-8">
          <p role="alert" className="text-lg">
            {problem}
          </p>
          {error && isTransient(error) ? (
            <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          ) : (
            <ButtonLink to={user ? '/admin' : '/'} variant="secondary" block>
              {user ? 'Open the admin' : 'Return to Home'}
            </ButtonLink>
          )}
        </div>
      ) : (
        <Skeleton className="h-48" />
      )}
    </AuthFrame>
  )
}
