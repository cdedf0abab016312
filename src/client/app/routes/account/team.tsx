import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { RequestState } from '#client/features/billing/teams/ask-for-seats.tsx'
import { MembershipSection } from '#client/features/billing/teams/membership-section.tsx'
import { OwnedTeamSections } from '#client/features/billing/teams/owned-team.tsx'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { AssignmentOverview } from '#client/features/reader/assignments/assignment-overview.tsx'
import { teamAssignmentsQuery } from '#client/features/reader/assignments/assignments.api.ts'
import { SeatLocations } from '#client/features/reader/assignments/seat-locations.tsx'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState, Skeleton } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { peopleText } from '#shared/domain/plan-texts.ts'
import { isForTeam, plansOnSale } from '#shared/domain/plans.ts'

/** Shows what the team has to do, and who works where. Without an answer, only the link. */
function OpenWork() {
  const { data: team } = useQuery(teamAssignmentsQuery)
  const assigned = team?.assignments ?? []
  return (
    <div className="border-t border-line pt-8">
      <Section
        title="Open work"
        lede={
          team && assigned.length === 0 ? 'Nothing is assigned. Choose Assign below any section or prompt.' : undefined
        }
      >
        {assigned.length > 0 && <AssignmentOverview assignments={assigned} />}
        <Link to="/portal/assignments" className="text-link inline-flex min-h-11 items-center">
          Assignments and the team’s collection
        </Link>
      </Section>
      {team?.isOwner && <SeatLocations people={team.people} locations={team.locations} />}
    </div>
  )
}

export function Component() {
  const { data: team } = useQuery(teamQuery)
  const hasTeam = Boolean(team?.owned?.active || team?.membership?.active)
  return (
    <>
      <TeamPage />
      {hasTeam && <OpenWork />}
    </>
  )
}

/** The user's own team, their seat in another team, or how to get one. */
function TeamPage() {
  const { user } = useSession()
  const teamPlan = plansOnSale(publication).find(isForTeam)
  const { data, isError, isFetching, refetch } = useQuery(teamQuery)
  if (isError && !data) {
    return (
      <ErrorState title="We couldn’t load your team." retrying={isFetching} onRetry={() => void refetch()}>
        Nothing has changed. Try again in a moment.
      </ErrorState>
    )
  }
  if (!data) return <Skeleton className="h-64" />
  const { owned, membership, request } = data
  if (!owned && !membership) {
    return (
      <EmptyState
        title={request && !request.declined ? 'You’re waiting for a seat' : 'You’re not on a team'}
        action={
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/team/join">Join a team</ButtonLink>
            <ButtonLink to="/#pricing" variant="secondary">
              See the Team plan
            </ButtonLink>
          </div>
        }
      >
        {request && <RequestState request={request} />}
        {!request &&
          teamPlan &&
          (teamPlan.perSeat
            ? `${teamPlan.name} is priced per seat. `
            : `${teamPlan.name} is for ${peopleText(teamPlan)}. `)}
        {!request && 'If you were invited to a team, use the link or code in the invitation email.'}
      </EmptyState>
    )
  }
  return (
    <>
      {owned && <OwnedTeamSections team={owned} ownEmail={user?.email ?? ''} />}
      {membership && (
        <div className={owned ? 'mt-8 border-t border-line pt-8' : undefined}>
          <MembershipSection membership={membership} request={request} />
        </div>
      )}
    </>
  )
}
