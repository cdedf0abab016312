import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminUserFacts } from '#shared/contracts/operations/member-account.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import type { UserSupport } from '#shared/contracts/operations/member-support.ts'
import { formatDay } from '#shared/domain/format.ts'
import { unlimitedSeats } from '#shared/domain/plans.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { questionName } from '#shared/domain/questions.ts'
import { accountQuery, memberQuery, supportQuery } from './member.api.ts'

const factorLabels = { totp: 'authenticator app', webauthn: 'security key', phone: 'text message' } as const

/** Facts about the account: who they are, where they do business, and how they sign in. */
export function MemberAccount({ userId }: { userId: string }) {
  const { data: user } = useQuery(accountQuery(userId))
  const { data: support } = useQuery(supportQuery(userId))
  if (!user) return null
  const steps = user.factors.map((factor) => factorLabels[factor]).join(', ')
  return (
    <Section title="Account" status={<Tags user={user} />}>
      <PropertyList>
        {support?.name && (
          <Property name="Name">
            <span className="[overflow-wrap:anywhere]">{support.name}</span>
          </Property>
        )}
        <Property name="Joined">
          <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
        </Property>
        <MemberFacts userId={userId} />
        {support && <PreferenceFacts preferences={support.preferences} />}
      </PropertyList>
      <Disclosure summary="Sign-in details and account ID" className="mt-3">
        <PropertyList>
          <Property name="Last sign-in">{user.lastSignInAt ? <Timestamp at={user.lastSignInAt} /> : 'Never'}</Property>
          <Property name="Email">{user.emailConfirmed ? 'Confirmed' : 'Not confirmed yet'}</Property>
          <Property name="Two-step verification">
            {steps ? <span className="first-letter:uppercase">{steps}</span> : 'None'}
          </Property>
          <Property name="Passkeys">{user.passkeys}</Property>
          <Property name="Signed in on">
            {user.sessions} {user.sessions === 1 ? 'device' : 'devices'}
          </Property>
          <Property name="Account ID">
            <CopyableText text={user.id} what="account ID" />
          </Property>
        </PropertyList>
        <p className="mt-5">
          <Link
            to={`/admin/settings/log?email=${encodeURIComponent(user.email)}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            View staff log
          </Link>
        </p>
      </Disclosure>
    </Section>
  )
}

/** Onboarding answers, which decide the order of content. */
function PreferenceFacts({ preferences }: { preferences: UserSupport['preferences'] }) {
  if (!preferences) return <Property name="Preferences">None yet</Property>
  const { focusAreas, aiLevel, goals, franchiseType } = preferences
  return (
    <>
      <Property name={questionName(publication, 'focusAreas')}>
        {optionLabels(publication, 'focusAreas', focusAreas).join(', ') || 'None'}
      </Property>
      {aiLevel && (
        <Property name={questionName(publication, 'aiLevel')}>{optionLabel(publication, 'aiLevel', aiLevel)}</Property>
      )}
      {goals.length > 0 && (
        <Property name={questionName(publication, 'goals')}>
          {optionLabels(publication, 'goals', goals).join(', ')}
        </Property>
      )}
      {franchiseType && (
        <Property name={questionName(publication, 'franchiseType')}>
          {optionLabel(publication, 'franchiseType', franchiseType)}
        </Property>
      )}
    </>
  )
}

function Tags({ user }: { user: AdminUserFacts }) {
  return (
    <span className="flex gap-2">
      {user.isAdmin && <Tag tone="primary">Admin</Tag>}
      {user.disabled ? <Tag tone="danger">Disabled</Tag> : <Tag tone="primary">Active</Tag>}
    </span>
  )
}

/** When they were here, where they do business, and with whom. */
function MemberFacts({ userId }: { userId: string }) {
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
          {team.seats.taken}
          {team.seats.total < unlimitedSeats && ` of ${team.seats.total}`} seats taken
          {!team.active && ', plan not active'}
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
