import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import { ReturnHome, SignInOptions } from '#client/features/identity/auth/link-page-parts.tsx'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { staffInvitationQuery } from '#client/features/identity/staff/staff.api.ts'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage, isTransient } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { acceptStaffInvitationCall, type staffInvitationCall } from '#shared/contracts/identity/staff.ts'
import { staffRoleLabels } from '#shared/domain/staff-roles.ts'
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
          signInOptions={<SignInOptions state={{ ...state, email: data.email }} />}
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

type StaffInvitationCardProps = {
  invitation: z.infer<typeof staffInvitationCall.output>
  token: string
  /** Email address of the signed-in user; null for a visitor. */
  ownEmail: string | null
  /** Shown to the invited person while their address isn't confirmed; joining requires it. */
  confirmation: ReactNode
  onJoined: () => void
  /** Links to sign up and sign in. */
  signInOptions: ReactNode
}

/** The page behind the link in an invitation email. Joining takes a click, because email scanners open links too. */
function StaffInvitationCard(props: StaffInvitationCardProps) {
  const { invitation, token, ownEmail, confirmation, onJoined, signInOptions } = props
  const { email, role, invitedBy, isExpired } = invitation
  const accept = useChange(acceptStaffInvitationCall)
  if (isExpired) {
    return (
      <div className="grid gap-8 wrap-anywhere">
        <p role="status" className="text-lg">
          This invitation has expired. Invitations are valid for seven days. Ask {invitedBy} to send a new one.
        </p>
        <ReturnHome />
      </div>
    )
  }
  return (
    <div className="grid gap-6 wrap-anywhere">
      <p className="text-lg">
        <strong className="font-semibold">{invitedBy}</strong> invites you to help publish {publication.name}, as{' '}
        <strong className="font-semibold">{staffRoleLabels[role].name.toLowerCase()}</strong>.
      </p>
      <p className="text-muted">What you can do: {staffRoleLabels[role].can}.</p>
      {ownEmail === null ? (
        <>
          <p className="text-muted">
            The invitation is for <strong className="font-semibold text-ink">{email}</strong>. Create an account with
            this email address, or sign in if you already have one.
          </p>
          {signInOptions}
        </>
      ) : ownEmail.toLowerCase() === email && confirmation ? (
        confirmation
      ) : ownEmail.toLowerCase() === email ? (
        <>
          <FormError>{accept.error ? errorMessage(accept.error) : null}</FormError>
          <Button block pending={accept.isPending} onClick={() => accept.mutate({ token }, { onSuccess: onJoined })}>
            Join the staff
          </Button>
        </>
      ) : (
        <>
          <p role="status">
            The invitation is for <strong className="font-semibold">{email}</strong>, but you’re signed in as{' '}
            <strong className="font-semibold">{ownEmail}</strong>.
          </p>
          <Button variant="secondary" onClick={() => void signOut()}>
            Sign out and switch accounts
          </Button>
        </>
      )}
    </div>
  )
}
