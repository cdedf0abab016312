import { lazy, Suspense, useState } from 'react'
import { ownWords } from '#client/lib/publication.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { Membership, TeamView } from '#shared/contracts/billing/teams.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useLeaveTeam } from './teams.api.ts'

const AskForSeats = lazy(() => import('./ask-for-seats.tsx'))

type MembershipSectionProps = { membership: Membership; request?: TeamView['request'] }

/** The user's seat in another owner's team. */
export function MembershipSection({ membership, request }: MembershipSectionProps) {
  const { ownerEmail, active, until, joinedAt, ownPlan } = membership
  const leave = useLeaveTeam()
  const [asking, setAsking] = useState(false)
  return (
    <Section title="Your seat" status={active ? <Tag tone="primary">Team member</Tag> : <Tag>Paused</Tag>}>
      {!active && (
        <Banner title="Your team’s plan isn’t active" className="mb-6">
          You keep your seat, but you have no access through it until {ownerEmail} renews the Team plan.
          {!ownPlan && ' Contact them, or choose your own plan.'}
        </Banner>
      )}
      <p className="mb-5 max-w-[60ch] wrap-anywhere">
        You’re on the team of <strong className="font-semibold">{ownerEmail}</strong>.
        {active && ownWords` Your seat includes everything: weekly drops, prompt packs, guides, and tool picks.`}
      </p>
      <PropertyList>
        <Property name="Paid by">
          <span className="wrap-anywhere">{ownerEmail}</span>
          {until && (
            <>
              , until <time dateTime={until}>{formatDay(until)}</time>
            </>
          )}
        </Property>
        <Property name="Member since">
          <time dateTime={joinedAt}>{formatDay(joinedAt)}</time>
        </Property>
        <Property name="Privacy">
          The owner can see that you’re a member, but not what you read or your preferences.
        </Property>
      </PropertyList>
      {ownPlan && active && (
        <p className="mt-5 max-w-[60ch]">
          You also pay for your own plan, which includes the same content. If you don’t need both, cancel yours under
          Billing and keep access through your seat.
        </p>
      )}
      {active && request !== undefined && (
        <Suspense>
          <AskForSeats request={request} />
        </Suspense>
      )}
      <Button variant="secondary" className="mt-6" pending={leave.isPending} onClick={() => setAsking(true)}>
        Leave team
      </Button>
      {asking && (
        <ConfirmDialog
          title="Leave the team?"
          action="Leave team"
          onConfirm={() => leave.mutate()}
          onClose={() => setAsking(false)}
        >
          {ownPlan
            ? 'You keep access through your own plan. To rejoin the team, you need a new invitation.'
            : 'You lose access to the portal immediately. We keep your account and preferences. To rejoin the team, you need a new invitation.'}
        </ConfirmDialog>
      )}
    </Section>
  )
}
