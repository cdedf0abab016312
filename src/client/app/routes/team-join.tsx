import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { InvitationCard } from '#client/features/billing/teams/invitation-card.tsx'
import { TeamCodeForm } from '#client/features/billing/teams/team-code-form.tsx'
import { invitationQuery } from '#client/features/billing/teams/teams.api.ts'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { isTransient } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import type { ReturnState } from '../sign-in-location-state.ts'

const title = 'Join a team'

/** Joins a team by the link of an invitation email, which has a token in its fragment, or by the code in that email. */
export function Component() {
  const { status, user } = useSession()
  const pendingMfa = usePendingMfa()
  const navigate = useNavigate()
  const { pathname, hash } = useLocation()
  const [hasOwnPlan, setHasOwnPlan] = useState(false)
  const token = new URLSearchParams(hash.slice(1)).get('invitation')
  const state: ReturnState = { from: pathname + hash }

  if (status === 'loading' || (user && pendingMfa === 'unknown')) return <LoadingPage />
  if (user && pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={state} />
  if (hasOwnPlan) return <OwnPlanNotice />

  const handleJoined = ({ ownPlan }: { ownPlan: boolean }) => {
    toast.success('Welcome to the team', { description: 'You now have access to the portal.' })
    if (ownPlan) setHasOwnPlan(true)
    else navigate('/portal', { replace: true })
  }
  return (
    <AuthFrame title={title} back={{ to: '/', label: 'Back to home' }}>
      {token ? (
        <JoinByLink token={token} ownEmail={user?.email ?? null} state={state} onJoined={handleJoined} />
      ) : user ? (
        <JoinByCode email={user.email ?? ''} onJoined={handleJoined} />
      ) : (
        <>
          <p className="mb-8 text-lg">
            Open the link in your invitation email, or sign in with the invited email and enter the code from that
            email.
          </p>
          <SignInOptions state={state} />
        </>
      )}
    </AuthFrame>
  )
}

type OnJoined = (answer: { ownPlan: boolean }) => void
type JoinByLinkProps = { token: string; ownEmail: string | null; state: ReturnState; onJoined: OnJoined }

function JoinByLink({ token, ownEmail, state, onJoined }: JoinByLinkProps) {
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(token))
  if (data) {
    return (
      <InvitationCard
        invitation={data}
        token={token}
        ownEmail={ownEmail}
        onJoined={onJoined}
        signInOptions={<SignInOptions state={{ ...state, email: data.email }} />}
      />
    )
  }
  if (!error) return <Skeleton className="h-48" />
  return (
    <div className="grid gap-8">
      <p role="alert" className="text-lg">
        {errorMessage(error)}
      </p>
      {isTransient(error) ? (
        <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      ) : (
        <ButtonLink to="/" variant="secondary" block>
          Return to Home
        </ButtonLink>
      )}
    </div>
  )
}

function JoinByCode({ email, onJoined }: { email: string; onJoined: OnJoined }) {
  return (
    <>
      <p className="mb-6 text-lg wrap-anywhere">
        Enter the code from the email we sent to <strong className="font-semibold">{email}</strong>.
      </p>
      <TeamCodeForm email={email} onJoined={onJoined} />
    </>
  )
}

function SignInOptions({ state }: { state: ReturnState }) {
  return (
    <div className="grid gap-3">
      <ButtonLink to="/auth?mode=sign-up" state={state} block>
        Create an account
      </ButtonLink>
      <ButtonLink to="/auth" state={state} variant="secondary" block>
        Sign in
      </ButtonLink>
    </div>
  )
}

/** Tells members who still pay for their own plan. */
function OwnPlanNotice() {
  return (
    <AuthFrame title="You now have a team seat">
      <p className="mb-8 text-lg">
        You also pay for your own plan, which gives you the same access. It continues until you cancel it. If you don’t
        need both, choose Manage in the portal; your seat then takes over without a gap.
      </p>
      <div className="grid gap-3">
        <ButtonLink to="/portal" block>
          {publication.labels.goToPortal}
        </ButtonLink>
        <ButtonLink to="/account/team" variant="secondary" block>
          View your team
        </ButtonLink>
      </div>
    </AuthFrame>
  )
}
