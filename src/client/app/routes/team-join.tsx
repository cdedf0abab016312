import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { usePendingMfa } from '#client/features/auth/mfa/pending-mfa.api.ts'
import { TeamCodeForm } from '#client/features/teams/code-form.tsx'
import { InvitationCard } from '#client/features/teams/invitation-card.tsx'
import { invitationQuery } from '#client/features/teams/teams.api.ts'
import { isTransient } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import type { ReturnState } from '../location-state.ts'

const title = 'Join a team'

/** The mail's link leads here with its token in the fragment; without one there is the code of the same mail. */
export function Component() {
  const { status, user } = useSession()
  const pendingMfa = usePendingMfa()
  const navigate = useNavigate()
  const { pathname, hash } = useLocation()
  const [alsoPays, setAlsoPays] = useState(false)
  const token = new URLSearchParams(hash.slice(1)).get('invitation')
  const state: ReturnState = { from: pathname + hash }

  if (status === 'loading' || (user && pendingMfa === 'unknown')) return <LoadingPage />
  if (user && pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={state} />
  if (alsoPays) return <AlsoPays />

  const handleJoined = ({ ownPlan }: { ownPlan: boolean }) => {
    toast.success('Welcome to the team', { description: 'The portal is open for you.' })
    if (ownPlan) setAlsoPays(true)
    else navigate('/portal', { replace: true })
  }
  return (
    <AuthFrame title={title} back={{ to: '/', label: 'Back to home' }}>
      {token ? (
        <ByLink token={token} ownEmail={user?.email ?? null} state={state} onJoined={handleJoined} />
      ) : user ? (
        <ByCode email={user.email ?? ''} onJoined={handleJoined} />
      ) : (
        <>
          <p className="mb-8 text-lg">
            Open the link in the mail that invites you, or sign in with the invited address and type the code of that
            mail.
          </p>
          <WaysIn state={state} />
        </>
      )}
    </AuthFrame>
  )
}

type Joined = (answer: { ownPlan: boolean }) => void
type ByLinkProps = { token: string; ownEmail: string | null; state: ReturnState; onJoined: Joined }

function ByLink({ token, ownEmail, state, onJoined }: ByLinkProps) {
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(token))
  if (data) {
    return (
      <InvitationCard
        invitation={data}
        token={token}
        ownEmail={ownEmail}
        onJoined={onJoined}
        waysIn={<WaysIn state={{ ...state, email: data.email }} />}
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

function ByCode({ email, onJoined }: { email: string; onJoined: Joined }) {
  return (
    <>
      <p className="mb-6 text-lg wrap-anywhere">
        Type the code of the mail that came to <strong className="font-semibold">{email}</strong>.
      </p>
      <TeamCodeForm email={email} onJoined={onJoined} />
    </>
  )
}

function WaysIn({ state }: { state: ReturnState }) {
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

/** Nobody should pay for what they are given, without knowing. */
function AlsoPays() {
  return (
    <AuthFrame title="You have a seat now">
      <p className="mb-8 text-lg">
        You also pay for a plan of your own, which opens the same. It goes on until you end it: choose Manage in the
        portal if you do not need both. Your seat then takes over without a gap.
      </p>
      <div className="grid gap-3">
        <ButtonLink to="/portal" block>
          Go to Portal
        </ButtonLink>
        <ButtonLink to="/account/team" variant="secondary" block>
          Look at your team
        </ButtonLink>
      </div>
    </AuthFrame>
  )
}
