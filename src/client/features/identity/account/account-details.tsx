import type { User } from '@supabase/auth-js'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'

export function AccountDetails({ user }: { user: User }) {
  return (
    <Section title="Account details">
      <PropertyList>
        <Property name="Member since">
          <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
        </Property>
        {user.last_sign_in_at && (
          <Property name="Last sign-in">
            <Timestamp at={user.last_sign_in_at} />
          </Property>
        )}
        <Property name="Account ID">
          <CopyableText text={user.id} what="account ID" />
        </Property>
      </PropertyList>
    </Section>
  )
}
