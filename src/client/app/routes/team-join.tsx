import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import { invitationQuery, useJoinTeam } from '#client/features/billing/teams/teams.api.ts'
import { LinkError, ReturnHome, SignInOptions } from '#client/features/identity/auth/link-page-parts.tsx'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { requestSeatsCall, type teamInvitationCall } from '#shared/contracts/billing/teams.ts'
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
  const query = useQuery(invitationQuery(token))
  const { data } = query
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
  return query.error ? <LinkError query={query} /> : <Skeleton className="h-48" />
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

type CodeFormProps = { email: string; onJoined: (answer: { ownPlan: boolean }) => void }

/** Joins with the code from the invitation email, for users who read it on another device. */
function TeamCodeForm({ email, onJoined }: CodeFormProps) {
  const join = useJoinTeam()
  const [code, setCode] = useState('')
  const handleSubmit = submitHandler(join, () => join.mutate({ email, code }, { onSuccess: onJoined }))
  return (
    <form onSubmit={handleSubmit} className="grid gap-5">
      <TextField
        label="Code from the invitation"
        hint="Eight letters and digits, for example 7KQ2-M0XD."
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={16}
        required
        className="font-mono text-xl! tracking-widest uppercase"
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          if (join.error) join.reset()
        }}
      />
      <FormError>{join.error ? errorMessage(join.error) : null}</FormError>
      <Button type="submit" pending={join.isPending} block>
        Join the team
      </Button>
    </form>
  )
}

type Invitation = z.infer<typeof teamInvitationCall.output>

type InvitationCardProps = {
  invitation: Invitation
  token: string
  /** Email address of the signed-in user; null for a visitor. */
  ownEmail: string | null
  onJoined: (answer: { ownPlan: boolean }) => void
  /** Links to sign up and sign in. */
  signInOptions: ReactNode
}

/** The page behind the link in an invitation email. */
function InvitationCard({ invitation, token, ownEmail, onJoined, signInOptions }: InvitationCardProps) {
  const { status, email, ownerEmail } = invitation
  const isMine = ownEmail?.toLowerCase() === email
  if (status !== 'open') return <ClosedInvitation {...invitation} token={token} isMine={isMine} />
  return (
    <div className="grid gap-6 wrap-anywhere">
      <p className="text-lg">
        <strong className="font-semibold">{ownerEmail}</strong> invited you to their team. You get full access to the
        portal at no cost to you.
      </p>
      {ownEmail === null ? (
        <>
          <p className="text-muted">
            The invitation is for <strong className="font-semibold text-ink">{email}</strong>. Create an account with
            this email address, or sign in if you already have one, to join the team.
          </p>
          {signInOptions}
        </>
      ) : isMine ? (
        <JoinButton token={token} ownEmail={ownEmail} onJoined={onJoined} />
      ) : (
        <>
          <p role="status">
            The invitation is for <strong className="font-semibold">{email}</strong>, but you’re signed in as{' '}
            <strong className="font-semibold">{ownEmail}</strong>. Sign in with the invited email address, or ask{' '}
            {ownerEmail} to invite this one.
          </p>
          <Button variant="secondary" onClick={() => void signOut()}>
            Sign out and switch accounts
          </Button>
        </>
      )}
    </div>
  )
}

type JoinButtonProps = { token: string; ownEmail: string; onJoined: (answer: { ownPlan: boolean }) => void }

/** Joining takes a click, because email scanners open links too. */
function JoinButton({ token, ownEmail, onJoined }: JoinButtonProps) {
  const join = useJoinTeam()
  return (
    <>
      <p className="text-muted">
        You’re signed in as <strong className="font-semibold text-ink">{ownEmail}</strong>. The owner can see that
        you’re a member, but not what you read or your preferences.
      </p>
      <FormError>{join.error ? errorMessage(join.error) : null}</FormError>
      <Button block pending={join.isPending} onClick={() => join.mutate({ token }, { onSuccess: onJoined })}>
        Join the team
      </Button>
    </>
  )
}

function ClosedInvitation({ status, ownerEmail, token, isMine }: Invitation & { token: string; isMine: boolean }) {
  const ask = useChange(requestSeatsCall, { done: 'Request sent', failure: 'We couldn’t send your request' })
  const text = {
    open: '',
    used: isMine
      ? 'You’ve already used this invitation. Each invitation works only once.'
      : 'This invitation has already been used. Each invitation works only once.',
    expired: `This invitation has expired. Invitations are valid for seven days. Ask ${ownerEmail} to send a new one.`,
    full: ask.isSuccess
      ? `We asked ${ownerEmail} for a seat. You’ll get an email with their answer.`
      : `This team has no free seats right now. Ask ${ownerEmail} to free one up.`,
    lapsed: `This team’s plan isn’t active right now. Once ${ownerEmail} renews it, this link works again.`,
  }[status]
  return (
    <div className="grid gap-8 wrap-anywhere">
      <p role="status" className="text-lg">
        {text}
      </p>
      {status === 'used' && isMine ? (
        <ButtonLink to="/account/team" block>
          View your team
        </ButtonLink>
      ) : status === 'full' && isMine && !ask.isSuccess ? (
        <Button block pending={ask.isPending} onClick={() => ask.mutate({ seats: 1, token })}>
          Ask for a seat
        </Button>
      ) : (
        <ReturnHome />
      )}
    </div>
  )
}
