import type { ReactNode } from 'react'
import type { z } from 'zod'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { signOut } from '#client/lib/session.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { acceptStaffInvitationCall, type staffInvitationCall } from '#shared/contracts/identity/staff.ts'
import { staffRoleLabels } from '#shared/domain/staff-roles.ts'

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
export function StaffInvitationCard(props: StaffInvitationCardProps) {
  const { invitation, token, ownEmail, confirmation, onJoined, signInOptions } = props
  const { email, role, invitedBy, isExpired } = invitation
  const accept = useChange(acceptStaffInvitationCall)
  if (isExpired) {
    return (
      <div className="grid gap-8 wrap-anywhere">
        <p role="status" className="text-lg">
          This invitation has expired. Invitations are valid for seven days. Ask {invitedBy} to send a new one.
        </p>
        <ButtonLink to="/" variant="secondary" block>
          Return to Home
        </ButtonLink>
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
