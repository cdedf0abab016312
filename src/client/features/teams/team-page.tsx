import { useQuery } from '@tanstack/react-query'
import { useSession } from '#client/lib/session.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { MembershipSection } from './membership-section.tsx'
import { OwnedTeamSections } from './owned-team.tsx'
import { teamQuery } from './teams.api.ts'

/** One's own team, one's seat in somebody else's, or the way to either. */
export function TeamPage() {
  const { user } = useSession()
  const { data, isError, isFetching, refetch } = useQuery(teamQuery)
  if (isError && !data) {
    return (
      <ErrorState title="Your team did not load." retrying={isFetching} onRetry={() => void refetch()}>
        Nothing was changed. Try again in a moment.
      </ErrorState>
    )
  }
  if (!data) return <Skeleton className="h-64" />
  const { owned, membership } = data
  if (!owned && !membership) {
    return (
      <EmptyState
        title="You are in no team"
        action={
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/team/join">Join a team</ButtonLink>
            <ButtonLink to="/#pricing" variant="secondary">
              See the Team plan
            </ButtonLink>
          </div>
        }
      >
        With a Team plan, three people read for one price. If somebody has invited you, the mail has a link and a code.
      </EmptyState>
    )
  }
  return (
    <>
      {owned && <OwnedTeamSections team={owned} ownEmail={user?.email ?? ''} />}
      {membership && (
        <div className={owned ? 'mt-8 border-t border-line pt-8' : undefined}>
          <MembershipSection membership={membership} />
        </div>
      )}
    </>
  )
}
