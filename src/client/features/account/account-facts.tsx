import type { User } from '@supabase/auth-js'
import { CopyText } from '#client/ui/copy-text.tsx'
import { Fact, Facts } from '#client/ui/facts.tsx'
import { Moment } from '#client/ui/moment.tsx'
import { Section } from '#client/ui/section.tsx'
import { formatDay } from '#shared/domain/format.ts'

export function AccountFacts({ user }: { user: User }) {
  return (
    <Section title="About this account">
      <Facts>
        <Fact name="Member since">
          <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
        </Fact>
        {user.last_sign_in_at && (
          <Fact name="Last sign-in">
            <Moment at={user.last_sign_in_at} />
          </Fact>
        )}
        <Fact name="Account number">
          <CopyText text={user.id} what="account number" />
        </Fact>
      </Facts>
    </Section>
  )
}
