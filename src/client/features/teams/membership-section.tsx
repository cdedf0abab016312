import { useState } from 'react'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Section } from '#client/ui/section.tsx'
import type { Membership } from '#shared/contracts/teams.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useLeaveTeam } from './teams.api.ts'

/** A seat as the one who sits in it sees it: who pays, until when, and the way out. */
export function MembershipSection({ membership }: { membership: Membership }) {
  const { ownerEmail, active, until, joinedAt, ownPlan } = membership
  const leave = useLeaveTeam()
  const [asking, setAsking] = useState(false)
  return (
    <Section title="Your seat">
      {!active && (
        <Banner title="The team’s plan does not run" className="mb-6">
          Your seat is kept, but it opens nothing until {ownerEmail} has the Team plan again.
          {!ownPlan && ' Ask them, or choose a plan of your own.'}
        </Banner>
      )}
      <div className="grid max-w-[60ch] gap-3 wrap-anywhere">
        <p>
          You are in the team of <strong className="font-semibold">{ownerEmail}</strong>
          {active && ', who pays for it,'} since <time dateTime={joinedAt}>{formatDay(joinedAt)}</time>.
          {until && (
            <>
              {' '}
              It is paid until <time dateTime={until}>{formatDay(until)}</time>.
            </>
          )}
        </p>
        <p className="text-muted">They see that you have a seat, never what you read or prefer.</p>
        {ownPlan && active && (
          <p>
            You also pay for a plan of your own, which opens the same. If you do not need both, end yours under Manage;
            the seat then takes over.
          </p>
        )}
      </div>
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
