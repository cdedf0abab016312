import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { problemOf } from '#client/lib/problem-of.ts'
import { Button } from '#client/ui/button.tsx'
import { CopyText } from '#client/ui/copy-text.tsx'
import { Fact, Facts } from '#client/ui/facts.tsx'
import { Moment } from '#client/ui/moment.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { UserSupport } from '#shared/contracts/admin-support.ts'
import { formatDay } from '#shared/domain/format.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'
import type { AdminUserFacts } from './admin-user.api.ts'
import { DisableSection } from './disable-section.tsx'
import { EntitlementSection } from './entitlement-section.tsx'
import { UserEmailsSection } from './user-emails-section.tsx'
import { UserHelpSection } from './user-help-section.tsx'
import { userSupportQuery } from './user-support.api.ts'

const factorNames = { totp: 'authenticator app', webauthn: 'security key', phone: 'text message' } as const

/** What the publisher may know about an account, and the one thing to be done to it. */
export function UserAccount({ user, isSelf }: { user: AdminUserFacts; isSelf: boolean }) {
  const { data: support, error, isFetching, refetch } = useQuery(userSupportQuery(user.id))
  const steps = user.factors.map((factor) => factorNames[factor]).join(', ')
  return (
    <div>
      <Section title="Account" status={<Tags user={user} />}>
        <Facts>
          {support?.name && (
            <Fact name="Name">
              <span className="[overflow-wrap:anywhere]">{support.name}</span>
            </Fact>
          )}
          <Fact name="Joined">
            <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
          </Fact>
          <Fact name="Last sign-in">{user.last_sign_in_at ? <Moment at={user.last_sign_in_at} /> : 'Never'}</Fact>
          <Fact name="Address">{user.email_confirmed ? 'Confirmed' : 'Not confirmed yet'}</Fact>
          <Fact name="Second step">{steps ? <span className="first-letter:uppercase">{steps}</span> : 'None'}</Fact>
          <Fact name="Passkeys">{user.passkeys}</Fact>
          <Fact name="Signed in on">
            {user.sessions} {user.sessions === 1 ? 'device' : 'devices'}
          </Fact>
          {support && <PreferenceFacts preferences={support.preferences} />}
          <Fact name="Account number">
            <CopyText text={user.id} what="account number" />
          </Fact>
        </Facts>
        <p className="mt-5">
          <Link
            to={`/admin/security-log?email=${encodeURIComponent(user.email)}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            What the audit log says about this account
          </Link>
        </p>
      </Section>
      {support ? (
        <UserHelpSection user={user} support={support} />
      ) : (
        <Section title="Sign-in and email">
          {error ? (
            <p role="alert">
              {problemOf(error)}{' '}
              <Button variant="secondary" size="sm" pending={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            </p>
          ) : (
            <SkeletonText lines={2} />
          )}
        </Section>
      )}
      <EntitlementSection userId={user.id} />
      {support && <UserEmailsSection support={support} />}
      <DisableSection key={String(user.disabled)} user={user} isSelf={isSelf} />
    </div>
  )
}

/** What they told in the wizard, which decides the order of what they read. */
function PreferenceFacts({ preferences }: { preferences: UserSupport['preferences'] }) {
  if (!preferences) return <Fact name="Preferences">None yet</Fact>
  const { focusAreas, aiLevel, goals, franchiseType } = preferences
  return (
    <>
      <Fact name="Focus areas">{focusAreas.join(', ') || 'None'}</Fact>
      {aiLevel && <Fact name="AI level">{aiLevelLabels[aiLevel].title}</Fact>}
      {goals.length > 0 && <Fact name="Goals">{goals.join(', ')}</Fact>}
      {franchiseType && <Fact name="Franchise type">{franchiseType}</Fact>}
    </>
  )
}

function Tags({ user }: { user: AdminUserFacts }) {
  return (
    <span className="flex gap-2">
      {user.is_admin && <Tag tone="primary">Admin</Tag>}
      {user.disabled ? <Tag tone="danger">Disabled</Tag> : <Tag tone="primary">Active</Tag>}
    </span>
  )
}
