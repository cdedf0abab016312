import type { ReactNode } from 'react'
import type { z } from 'zod'
import { errorMessage } from '#client/lib/error-message.ts'
import { signOut } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { teamInvitationCall } from '#shared/contracts/teams.ts'
import { useJoinTeam } from './teams.api.ts'

type Invitation = z.infer<typeof teamInvitationCall.output>

type InvitationCardProps = {
  invitation: Invitation
  token: string
  /** Of the account that is signed in. */
  ownEmail: string | null
  onJoined: (answer: { ownPlan: boolean }) => void
  /** Where an account is made or opened, for the invited address. */
  signInOptions: ReactNode
}

/** What the mailed link is worth to whoever opens it. */
export function InvitationCard({ invitation, token, ownEmail, onJoined, signInOptions }: InvitationCardProps) {
  const { status, email, ownerEmail } = invitation
  const isMine = ownEmail?.toLowerCase() === email
  if (status !== 'open') return <Over {...invitation} isMine={isMine} />
  return (
    <div className="grid gap-6 wrap-anywhere">
      <p className="text-lg">
        <strong className="font-semibold">{ownerEmail}</strong> offers you a seat in their team. It opens the whole
        portal and costs you nothing.
      </p>
      {ownEmail === null ? (
        <>
          <p className="text-muted">
            The seat is for <strong className="font-semibold text-ink">{email}</strong>. Make an account with this
            address, or sign in to the one that you have, and you come back here.
          </p>
          {signInOptions}
        </>
      ) : isMine ? (
        <JoinButton token={token} ownEmail={ownEmail} onJoined={onJoined} />
      ) : (
        <>
          <p role="status">
            The seat is for <strong className="font-semibold">{email}</strong>, and you are signed in as{' '}
            <strong className="font-semibold">{ownEmail}</strong>. Sign in with the invited address, or ask {ownerEmail}{' '}
            to invite the one that you use here.
          </p>
          <Button variant="secondary" onClick={() => void signOut()}>
            Sign out to use the other account
          </Button>
        </>
      )}
    </div>
  )
}

type JoinButtonProps = { token: string; ownEmail: string; onJoined: (answer: { ownPlan: boolean }) => void }

/** A click of a person, since programs that look into mails follow links as well. */
function JoinButton({ token, ownEmail, onJoined }: JoinButtonProps) {
  const join = useJoinTeam()
  return (
    <>
      <p className="text-muted">
        You are signed in as <strong className="font-semibold text-ink">{ownEmail}</strong>. The owner sees that you
        have a seat, never what you read or prefer.
      </p>
      <FormError>{join.error ? errorMessage(join.error) : null}</FormError>
      <Button block pending={join.isPending} onClick={() => join.mutate({ token }, { onSuccess: onJoined })}>
        Join the team
      </Button>
    </>
  )
}

function Over({ status, ownerEmail, isMine }: Invitation & { isMine: boolean }) {
  const words = {
    open: '',
    used: isMine
      ? 'You have taken this seat already, or had it before. Each invitation works once.'
      : 'This invitation has already been used. Each one works once.',
    expired: `This invitation has expired: links work for seven days. Ask ${ownerEmail} to send it again.`,
    full: `All seats of this team are taken at the moment. Ask ${ownerEmail} whether one can be made free.`,
    lapsed: `The plan of this team does not run at the moment. Ask ${ownerEmail}; once it is back, this link works again.`,
  }[status]
  return (
    <div className="grid gap-8 wrap-anywhere">
      <p role="status" className="text-lg">
        {words}
      </p>
      {status === 'used' && isMine ? (
        <ButtonLink to="/account/team" block>
          Look at your team
        </ButtonLink>
      ) : (
        <ButtonLink to="/" variant="secondary" block>
          Return to Home
        </ButtonLink>
      )}
    </div>
  )
}
