import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { TeamPage } from '#client/features/billing/teams/team-page.tsx'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { AssignmentOverview } from '#client/features/reader/assignments/assignment-overview.tsx'
import { teamAssignmentsQuery } from '#client/features/reader/assignments/assignments.api.ts'
import { SeatLocations } from '#client/features/reader/assignments/seat-locations.tsx'
import { Section } from '#client/ui/section.tsx'

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
