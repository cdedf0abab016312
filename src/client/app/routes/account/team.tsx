import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { TeamPage } from '#client/features/billing/teams/team-page.tsx'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'

export function Component() {
  const { data: team } = useQuery(teamQuery)
  const hasTeam = Boolean(team?.owned?.active || team?.membership?.active)
  return (
    <>
      <h2 className="sr-only">Team</h2>
      <TeamPage />
      {hasTeam && (
        <p className="border-t border-line pt-4">
          <Link to="/portal/assignments" className="text-link inline-flex min-h-11 items-center">
            Assignments and the team’s collection
          </Link>
        </p>
      )}
    </>
  )
}
