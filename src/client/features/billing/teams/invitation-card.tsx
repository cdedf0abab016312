import type { ReactNode } from 'react'
import type { z } from 'zod'
import { errorMessage } from '#client/lib/error-message.ts'
import { signOut } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { teamInvitationCall } from '#shared/contracts/billing/teams.ts'
import { useJoinTeam } from './teams.api.ts'

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
export function InvitationCard({ invitation, token, ownEmail, onJoined, signInOptions }: InvitationCardProps) {
  const { status, email, ownerEmail } = invitation
  const isMine = ownEmail?.toLowerCase() === email
  if (status !== 'open') return <ClosedInvitation {...invitation} isMine={isMine} />
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

function ClosedInvitation({ status, ownerEmail, isMine }: Invitation & { isMine: boolean }) {
  const text = {
    open: '',
    used: isMine
      ? 'You’ve already used this invitation. Each invitation works only once.'
      : 'This invitation has already been used. Each invitation works only once.',
    expired: `This invitation has expired. Invitations are valid for seven days. Ask ${ownerEmail} to send a new one.`,
    full: `This team has no free seats right now. Ask ${ownerEmail} to free one up.`,
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
      ) : (
        <ButtonLink to="/" variant="secondary" block>
          Return to Home
        </ButtonLink>
      )}
    </div>
  )
}
