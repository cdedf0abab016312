import { Crown, Mail, UserRound } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { OwnedTeam } from '#shared/contracts/teams.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useHandOver, useInvite, useRemoveMember, useResendInvitation, useRevokeInvitation } from './teams.api.ts'

/** Seats, and who has them. What anybody reads is not here, and the server does not tell. */
export function OwnedTeamSections({ team, ownEmail }: { team: OwnedTeam; ownEmail: string }) {
  const { active } = team
  return (
    <>
      {!active && (
        <Banner title="Your Team plan does not run" className="mb-8">
          Your members keep their seats, but the seats open nothing until the Team plan is back. You can still remove
          people.
        </Banner>
      )}
      <OwnedTeamLists team={team} ownEmail={ownEmail} />
    </>
  )
}

function OwnedTeamLists({ team, ownEmail }: { team: OwnedTeam; ownEmail: string }) {
  const { active, seats, members, invitations } = team
  return (
    <div>
      <Section
        title="Seats"
        status={`${seats.taken} of ${seats.total} taken`}
        lede="Everybody reads with an account and preferences of their own. You see who has a seat, never what they read."
      >
        <ItemList label="Seats">
          <ItemRow
            icon={Crown}
            title={
              <>
                {ownEmail}
                <Tag tone="primary">You, the owner</Tag>
              </>
            }
            facts={active && 'Pays for the team.'}
          />
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} canHandOver={active} />
          ))}
        </ItemList>
      </Section>
      {active && <InviteSection free={seats.total - seats.taken} />}
      {invitations.length > 0 && (
        <Section title="Invitations" status={`${invitations.length} not answered yet`}>
          <ItemList label="Invitations">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} canResend={active} />
            ))}
          </ItemList>
        </Section>
      )}
    </div>
  )
}

function MemberRow({ member, canHandOver }: { member: OwnedTeam['members'][number]; canHandOver: boolean }) {
  const remove = useRemoveMember()
  const handOver = useHandOver()
  const [asking, setAsking] = useState<'remove' | 'hand-over' | null>(null)
  const { email, userId, joinedAt } = member
  const close = () => setAsking(null)
  return (
    <>
      <ItemRow
        icon={UserRound}
        title={email}
        facts={
          <>
            Joined <time dateTime={joinedAt}>{formatDay(joinedAt)}</time>
          </>
        }
        actions={
          <>
            {canHandOver && (
              <Button
                variant="quiet"
                size="sm"
                pending={handOver.isPending}
                aria-label={`Make owner: ${email}`}
                onClick={() => setAsking('hand-over')}
              >
                Make owner
              </Button>
            )}
            <Button
              variant="quiet"
              size="sm"
              pending={remove.isPending}
              aria-label={`Remove ${email}`}
              onClick={() => setAsking('remove')}
            >
              Remove
            </Button>
          </>
        }
      />
      {asking === 'remove' && (
        <ConfirmDialog
          title={`Remove ${email}?`}
          action="Remove"
          onConfirm={() => remove.mutate(userId)}
          onClose={close}
        >
          They lose the portal at once. Their account and their preferences stay theirs, and you can invite them again.
        </ConfirmDialog>
      )}
      {asking === 'hand-over' && (
        <ConfirmDialog
          title={`Make ${email} the owner?`}
          action="Hand the team over"
          onConfirm={() => handOver.mutate(userId)}
          onClose={close}
        >
          The plan, its invoices and its payment card become theirs, and you become a member. Your card pays until they
          put in their own. Only they can hand the team back.
        </ConfirmDialog>
      )}
    </>
  )
}

function InviteSection({ free }: { free: number }) {
  const invite = useInvite()
  const [email, setEmail] = useState('')

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!invite.isPending) invite.mutate(email.trim(), { onSuccess: () => setEmail('') })
  }

  if (free === 0) {
    return <Section title="Invite" lede="All seats are taken. Remove somebody to invite somebody else." />
  }
  return (
    <Section
      title="Invite"
      lede={`We mail a link and a code, good for seven days. ${free === 1 ? 'One seat is' : `${free} seats are`} free; whoever joins first gets it.`}
    >
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        <TextField
          label="Email address"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          inputMode="email"
          spellCheck={false}
          maxLength={320}
          required
          hint="They join with an account that has this address."
          value={email}
          onChange={(event) => {
            setEmail(event.target.value)
            if (invite.error) invite.reset()
          }}
        />
        <FormError>{formErrorMessage(invite.error)}</FormError>
        <Button type="submit" pending={invite.isPending} className="justify-self-start">
          Send invitation
        </Button>
      </form>
    </Section>
  )
}

type InvitationRowProps = { invitation: OwnedTeam['invitations'][number]; canResend: boolean }

function InvitationRow({ invitation, canResend }: InvitationRowProps) {
  const resend = useResendInvitation()
  const revoke = useRevokeInvitation()
  const { id, email, sentAt, expiresAt, expired } = invitation
  return (
    <ItemRow
      icon={Mail}
      title={
        <>
          {email}
          {expired && <Tag tone="accent">Expired</Tag>}
        </>
      }
      facts={
        <>
          Sent <Timestamp inline at={sentAt} />. {expired ? 'Its link stopped working on ' : 'Works until '}
          <time dateTime={expiresAt}>{formatDay(expiresAt)}</time>.
        </>
      }
      actions={
        <>
          {canResend && (
            <Button
              variant="quiet"
              size="sm"
              pending={resend.isPending}
              aria-label={`Send again to ${email}`}
              onClick={() => resend.mutate(id)}
            >
              Send again
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            pending={revoke.isPending}
            aria-label={`Take back the invitation to ${email}`}
            onClick={() => revoke.mutate(id)}
          >
            Take back
          </Button>
        </>
      }
    />
  )
}
