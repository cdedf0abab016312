import { UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { answerSeatRequestCall, type OwnedTeam } from '#shared/contracts/billing/teams.ts'
import { formatCount } from '#shared/domain/format-count.ts'

const AddSeats = lazy(async () => ({ default: (await import('./seats-section.tsx')).AddSeats }))

/** What people ask the owner for. Seats are added with their price before the yes. */
export default function RequestsSection({ team }: { team: OwnedTeam }) {
  return (
    <Section title="Requests for seats" status={`${team.requests.length} open`}>
      <ItemList label="Requests for seats">
        {team.requests.map((request) => (
          <RequestRow key={request.userId} request={request} team={team} />
        ))}
      </ItemList>
    </Section>
  )
}

type RequestRowProps = { request: OwnedTeam['requests'][number]; team: OwnedTeam }

function RequestRow({ request: { userId, email, isMember, seats, requestedAt }, team }: RequestRowProps) {
  const answer = useChange(answerSeatRequestCall, { done: 'Answer sent', failure: 'We couldn’t answer the request' })
  const [isAdding, setAdding] = useState(false)
  const { total, taken } = team.seats
  const missing = Math.max(0, seats - (total - taken))
  const canAdd = team.perSeat !== null && team.perSeat.renewsAt !== null && team.perSeat.ending === null
  const accept = () => answer.mutate({ userId, accept: true })
  const wanted = formatCount(seats, 'seat')
  return (
    <ItemRow
      icon={UserPlus}
      title={email}
      facts={
        <>
          {isMember ? `Asks for ${wanted} for others` : 'Asks for a seat'}, <Timestamp inline at={requestedAt} />.
          {missing > 0 && !canAdd && ' All seats are taken. Remove a member or change your plan under Billing first.'}
        </>
      }
      actions={
        <>
          {(missing === 0 || canAdd) && (
            <Button
              variant="quiet"
              size="sm"
              pending={answer.isPending}
              aria-label={`Accept the request of ${email}`}
              onClick={missing === 0 ? accept : () => setAdding(true)}
            >
              {missing === 0 ? (isMember ? 'Say yes' : 'Give a seat') : `Add ${formatCount(missing, 'seat')}`}
            </Button>
          )}
          <Button
            variant="quiet"
            size="sm"
            pending={answer.isPending}
            aria-label={`Decline the request of ${email}`}
            onClick={() => answer.mutate({ userId, accept: false })}
          >
            Decline
          </Button>
        </>
      }
    >
      {isAdding && missing > 0 && (
        <Suspense fallback={<SkeletonText lines={2} />}>
          <AddSeats total={total} initial={missing} onAdded={accept} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </ItemRow>
  )
}
