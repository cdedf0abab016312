import { Crown, Mail, UserRound } from 'lucide-react'
import { lazy, type SubmitEvent, Suspense, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { FormError, TextAreaField, TextField } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { ShowMore, usePages } from '#client/ui/use-pages.tsx'
import { type InvitedAddress, maxInvitedAtOnce, type OwnedTeam } from '#shared/contracts/billing/teams.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { unlimitedSeats } from '#shared/domain/plans.ts'
import { splitAddresses } from '#shared/domain/split-addresses.ts'
import {
  useInviteMember,
  useInviteMembers,
  useResendInvitation,
  useRevokeInvitation,
  useTransferTeam,
} from './teams.api.ts'

const DomainsSection = lazy(() => import('./domains-section.tsx'))
const RequestsSection = lazy(() => import('./requests-section.tsx'))
const SeatsSection = lazy(() => import('./seats-section.tsx'))

/** The owner's view of the team. It includes nothing about what members read. */
export function OwnedTeamSections({ team, ownEmail }: { team: OwnedTeam; ownEmail: string }) {
  const { active } = team
  return (
    <>
      {!active && (
        <Banner title="Your Team plan isn’t active" className="mb-8">
          Your members keep their seats but have no access until you renew the Team plan. You can still remove members.
        </Banner>
      )}
      {active && team.requests.length > 0 && (
        <Suspense fallback={<SkeletonText lines={2} />}>
          <RequestsSection team={team} />
        </Suspense>
      )}
      <OwnedTeamLists team={team} ownEmail={ownEmail} />
    </>
  )
}

/** Longer lists can be searched. */
const maxUnsearched = 10

function OwnedTeamLists({ team, ownEmail }: { team: OwnedTeam; ownEmail: string }) {
  const { active, seats, members, invitations } = team
  const [search, setSearch] = useState('')
  const found = members.filter(({ email }) => email.includes(search.trim().toLowerCase()))
  const seatPages = usePages(found)
  const invitationPages = usePages(invitations)
  return (
    <div>
      <Section
        title="Seats"
        status={seats.total < unlimitedSeats ? `${seats.taken} of ${seats.total} taken` : `${seats.taken} taken`}
        lede="Each member has their own account and preferences. You can see who has a seat, but not what they read."
      >
        {members.length > maxUnsearched && (
          <TextField
            label="Find a member"
            type="search"
            autoComplete="off"
            fieldClassName="mb-5 max-w-md"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              seatPages.restart()
            }}
            hint={search.trim() ? `${found.length} of ${members.length} members` : undefined}
          />
        )}
        <ItemList label="Seats">
          <ItemRow
            icon={Crown}
            title={
              <>
                {ownEmail}
                <Tag tone="primary">You (owner)</Tag>
              </>
            }
            facts={active && 'Pays for the team.'}
          />
          {seatPages.shown.map((member) => (
            <MemberRow key={member.userId} member={member} canTransfer={active} />
          ))}
        </ItemList>
        <ShowMore hidden={seatPages.hidden} what="members" onClick={seatPages.showMore} />
      </Section>
      {team.perSeat && (
        <Suspense fallback={<SkeletonText lines={2} />}>
          <SeatsSection seats={seats} perSeat={team.perSeat} />
        </Suspense>
      )}
      {active && <InviteSection seats={seats} canAdd={team.perSeat !== null} />}
      {invitations.length > 0 && (
        <Section title="Invitations" status={`${invitations.length} pending`}>
          <ItemList label="Invitations">
            {invitationPages.shown.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} canResend={active} />
            ))}
          </ItemList>
          <ShowMore hidden={invitationPages.hidden} what="invitations" onClick={invitationPages.showMore} />
        </Section>
      )}
      {active && (
        <Suspense fallback={<SkeletonText lines={2} />}>
          <DomainsSection domains={team.domains} />
        </Suspense>
      )}
    </div>
  )
}

function MemberRow({ member, canTransfer }: { member: OwnedTeam['members'][number]; canTransfer: boolean }) {
  const transfer = useTransferTeam()
  const [isConfirming, setConfirming] = useState(false)
  const { email, userId, joinedAt } = member
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
            {canTransfer && (
              <Button
                variant="quiet"
                size="sm"
                pending={transfer.isPending}
                aria-label={`Make owner: ${email}`}
                onClick={() => setConfirming(true)}
              >
                Make owner
              </Button>
            )}
            <ButtonLink
              to={`/account/team/leaving?member=${userId}`}
              variant="quiet"
              size="sm"
              aria-label={`Remove ${email}`}
            >
              Remove
            </ButtonLink>
          </>
        }
      />
      {isConfirming && (
        <ConfirmDialog
          title={`Make ${email} the owner?`}
          action="Transfer ownership"
          onConfirm={() => transfer.mutate(userId)}
          onClose={() => setConfirming(false)}
        >
          The plan, its invoices, and its payment card become theirs, and you become a member. We keep charging your
          card until they add their own. Only they can transfer the team back to you.
        </ConfirmDialog>
      )}
    </>
  )
}

function InviteSection({ seats: { total, taken }, canAdd }: { seats: OwnedTeam['seats']; canAdd: boolean }) {
  const free = Math.max(0, total - taken)
  const invite = useInviteMember()
  const [email, setEmail] = useState('')

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!invite.isPending) invite.mutate(email.trim(), { onSuccess: () => setEmail('') })
  }

  if (free === 0) {
    return (
      <Section
        title="Invite"
        lede={`All seats are taken. To invite someone else, ${canAdd ? 'add seats, or remove' : 'remove'} a member first.`}
      />
    )
  }
  return (
    <Section
      title="Invite"
      lede={`We email a link and a code that work for seven days. ${total === unlimitedSeats ? 'Invite as many people as you like.' : `${free === 1 ? 'One seat is' : `${free} seats are`} free, first come, first served.`}`}
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
          hint="They need to join with this email address."
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
      {free > 1 && <InviteSeveral />}
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
              aria-label={`Resend the invitation to ${email}`}
              onClick={() => resend.mutate(id)}
            >
              Resend
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            pending={revoke.isPending}
            aria-label={`Revoke the invitation to ${email}`}
            onClick={() => revoke.mutate(id)}
          >
            Revoke
          </Button>
        </>
      }
    />
  )
}

const texts: Record<InvitedAddress['result'], string> = {
  invited: 'Invited',
  already_invited: 'Already invited',
  already_member: 'Already on the team',
  invalid: 'Not a valid address',
  no_seat: 'No seat left',
  limited: 'Too many emails today. Try again tomorrow.',
}

/** Invites a pasted list, with a result for each address. */
function InviteSeveral() {
  const invite = useInviteMembers()
  const [text, setText] = useState('')
  const emails = splitAddresses(text)
  const isTooMany = emails.length > maxInvitedAtOnce

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (invite.isPending || isTooMany || emails.length === 0) return
    invite.mutate(emails, {
      // Those that can be corrected stay.
      onSuccess: (results) =>
        setText(
          results
            .filter(({ result }) => result === 'invalid' || result === 'no_seat' || result === 'limited')
            .map(({ email }) => email)
            .join('\n'),
        ),
    })
  }

  return (
    <Disclosure summary="Invite several people" className="mt-6">
      <form onSubmit={handleSubmit} className="mt-3 grid max-w-xl gap-5">
        <TextAreaField
          label="Addresses"
          hint="Paste them one per line, or with commas between. Each person gets an email."
          error={isTooMany ? `Enter at most ${maxInvitedAtOnce} addresses at once.` : ''}
          rows={6}
          required
          spellCheck={false}
          autoCapitalize="none"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FormError>{formErrorMessage(invite.error)}</FormError>
        <Button type="submit" pending={invite.isPending} className="justify-self-start">
          {emails.length === 0 ? 'Send invitations' : `Send ${formatCount(emails.length, 'invitation')}`}
        </Button>
      </form>
      {invite.data && <Results results={invite.data} />}
    </Disclosure>
  )
}

function Results({ results }: { results: readonly InvitedAddress[] }) {
  const invited = results.filter(({ result }) => result === 'invited').length
  return (
    <div className="mt-6 max-w-xl">
      <p role="status" className="font-semibold">
        {invited} of {formatCount(results.length, 'address', 'addresses')} invited
      </p>
      <ul aria-label="Results" className="mt-2 divide-y divide-line border-y border-line">
        {results.map(({ email, result }) => (
          <li key={email} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">{email}</span>
            <Tag tone={result === 'invited' ? 'primary' : result === 'invalid' ? 'danger' : 'plain'}>
              {texts[result]}
            </Tag>
          </li>
        ))}
      </ul>
    </div>
  )
}
