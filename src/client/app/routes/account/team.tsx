import { TeamPage } from '#client/features/teams/team-page.tsx'

export function Component() {
  return (
    <>
      <h2 className="sr-only">Team</h2>
      <TeamPage />
    </>
  )
}
