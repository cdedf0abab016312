import { useState } from 'react'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { Membership } from '#shared/contracts/teams.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useLeaveTeam } from './teams.api.ts'

/** A seat as the one who sits in it sees it: whose team it is, what it opens, who pays, and the way out. */
export function MembershipSection({ membership }: { membership: Membership }) {
  const { ownerEmail, active, until, joinedAt, ownPlan } = membership
  const leave = useLeaveTeam()
  const [asking, setAsking] = useState(false)
  return (
    <Section title="Your seat" status={active ? <Tag tone="primary">Team member</Tag> : <Tag>Paused</Tag>}>
      {!active && (
        <Banner title="The team’s plan does not run" className="mb-6">
          Your seat is kept, but it opens nothing until {ownerEmail} has the Team plan again.
          {!ownPlan && ' Ask them, or choose a plan of your own.'}
        </Banner>
      )}
      <p className="mb-5 max-w-[60ch] wrap-anywhere">
        You're on the team of <strong className="font-semibold">{ownerEmail}</strong>.
        {active && ' Your seat opens everything: weekly drops, prompt packs, guides and tool picks.'}
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
        <Property name="Privacy">They see that you have a seat, never what you read or prefer.</Property>
      </PropertyList>
      {ownPlan && active && (
        <p className="mt-5 max-w-[60ch]">
          You also pay for a plan of your own, which opens the same. If you don't need both, cancel yours under Billing.
          Your seat then takes over.
        </p>
      )}
      <Button variant="secondary" className="mt-6" pending={leave.isPending} onClick={() => setAsking(true)}>
        Leave the team
      </Button>
      {asking && (
        <ConfirmDialog
          title="Leave the team?"
          action="Leave"
          onConfirm={() => leave.mutate()}
          onClose={() => setAsking(false)}
        >
          {ownPlan
            ? 'Your own plan keeps the portal open. To come back you need a new invitation.'
            : 'The portal closes for you at once. Your account and your preferences stay. To come back you need a new invitation.'}
        </ConfirmDialog>
      )}
    </Section>
  )
}
