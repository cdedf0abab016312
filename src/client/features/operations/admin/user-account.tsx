import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { UserSupport } from '#shared/contracts/operations/admin-support.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { questionName } from '#shared/domain/questions.ts'
import type { AdminUserFacts } from './admin-user.api.ts'
import { DisableSection } from './disable-section.tsx'
import { EntitlementSection } from './entitlement-section.tsx'
import { UserHelpSection } from './user-help-section.tsx'
import { userSupportQuery } from './user-support.api.ts'

const factorLabels = { totp: 'authenticator app', webauthn: 'security key', phone: 'text message' } as const

type UserAccountProps = {
  user: AdminUserFacts
  isSelf: boolean
  /** More rows of the account's facts. */
  facts: ReactNode
  /** Sections after the account’s facts. */
  children: ReactNode
}

/** Everything staff can see and do about one account. */
export function UserAccount({ user, isSelf, facts, children }: UserAccountProps) {
  const { data: support, error, isFetching, refetch } = useQuery(userSupportQuery(user.id))
  const steps = user.factors.map((factor) => factorLabels[factor]).join(', ')
  return (
    <>
      {support ? (
        <UserHelpSection user={user} support={support} />
      ) : (
        <Section title="Sign-in and email">
          {error ? (
            <p role="alert">
              {errorMessage(error)}{' '}
              <Button variant="secondary" size="sm" pending={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            </p>
          ) : (
            <SkeletonText lines={2} />
          )}
        </Section>
      )}
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
          {facts}
          {support && <PreferenceFacts preferences={support.preferences} />}
        </PropertyList>
        <Disclosure summary="Sign-in details and account ID" className="mt-3">
          <PropertyList>
            <Property name="Last sign-in">
              {user.lastSignInAt ? <Timestamp at={user.lastSignInAt} /> : 'Never'}
            </Property>
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
      {children}
      <EntitlementSection userId={user.id} />
      <DisableSection key={String(user.disabled)} user={user} isSelf={isSelf} />
    </>
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
