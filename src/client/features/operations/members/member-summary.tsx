import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Property } from '#client/ui/property-list.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { memberQuery } from './member-page.api.ts'

/** Rows of the account's facts: when they were here, where they do business, and with whom. */
export function MemberFacts({ userId }: { userId: string }) {
  const { data } = useQuery(memberQuery(userId))
  if (!data) return null
  const { total, shared } = data.locations
  return (
    <>
      {data.pendingEmail && (
        <Property name="New address">
          <span className="[overflow-wrap:anywhere]">{data.pendingEmail}</span>, waiting to be confirmed
        </Property>
      )}
      {data.unlinkedStripeCustomer && (
        <Property name="Paid elsewhere">
          <CopyableText text={data.unlinkedStripeCustomer} what="Stripe customer id" />
          <p className="mt-1 max-w-[60ch] text-muted">
            This Stripe customer came with the import. Their plan starts here once an owner adopts the subscription
            under <PageLink to="/admin/settings/import">Settings, Import</PageLink>.
          </p>
        </Property>
      )}
      <Property name="Last seen">{data.lastSeenAt ? <Timestamp at={data.lastSeenAt} /> : 'Never'}</Property>
      {data.renewsAt && <Property name="Next renewal">{formatDay(data.renewsAt)}</Property>}
      <Property name="Locations">
        {total === 0 ? 'None entered' : `${total}${shared > 0 ? `, ${shared} shared with the team` : ''}`}
      </Property>
      {data.memberOf && (
        <Property name="Team">
          Member of <MemberLink id={data.memberOf.ownerId}>{data.memberOf.ownerEmail}</MemberLink>’s team since{' '}
          {formatDay(data.memberOf.joinedAt)}
        </Property>
      )}
      {data.team && <TeamFacts team={data.team} />}
    </>
  )
}

function TeamFacts({ team }: { team: NonNullable<Member['team']> }) {
  const open = team.invitations.filter(({ expired }) => !expired)
  return (
    <Property name="Their team">
      <ul className="grid gap-1">
        <li>
          {team.seats.taken} of {team.seats.total} seats taken{!team.active && ', plan not active'}
        </li>
        {team.members.map(({ userId, email, joinedAt }) => (
          <li key={userId} className="[overflow-wrap:anywhere]">
            <MemberLink id={userId}>{email || 'No address'}</MemberLink>, joined {formatDay(joinedAt)}
          </li>
        ))}
        {open.map(({ id, email, expiresAt }) => (
          <li key={id} className="text-muted [overflow-wrap:anywhere]">
            {email}, invited until {formatDay(expiresAt)}
          </li>
        ))}
      </ul>
    </Property>
  )
}

const MemberLink = ({ id, children }: { id: string; children: string }) => (
  <Link to={`/admin/members/${id}`} className="text-link">
    {children}
  </Link>
)
