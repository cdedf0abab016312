import { Link } from 'react-router'
import { CopyText } from '#client/ui/copy-text.tsx'
import { Fact, Facts } from '#client/ui/facts.tsx'
import { Moment } from '#client/ui/moment.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { formatDay } from '#shared/domain/format.ts'
import type { AdminUserFacts } from './admin-user.api.ts'
import { DisableSection } from './disable-section.tsx'
import { EntitlementSection } from './entitlement-section.tsx'

const factorNames = { totp: 'authenticator app', webauthn: 'security key', phone: 'text message' } as const

/** What the publisher may know about an account, and the one thing to be done to it. */
export function UserAccount({ user, isSelf }: { user: AdminUserFacts; isSelf: boolean }) {
  const steps = user.factors.map((factor) => factorNames[factor]).join(', ')
  return (
    <div>
      <Section title="Account" status={<Tags user={user} />}>
        <Facts>
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
      <EntitlementSection userId={user.id} />
      <DisableSection key={String(user.disabled)} user={user} isSelf={isSelf} />
    </div>
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
