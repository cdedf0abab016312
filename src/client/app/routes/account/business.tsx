import { useQuery } from '@tanstack/react-query'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { businessProfileQuery } from '#client/features/reader/business-profile/business-profile.api.ts'
import { LocationsSection } from '#client/features/reader/business-profile/locations-section.tsx'
import { ProfileForm } from '#client/features/reader/business-profile/profile-form.tsx'
import { franchisorRulesQuery } from '#client/features/reader/franchisor-rules/franchisor-rules.api.ts'
import { FranchisorRulesSection } from '#client/features/reader/franchisor-rules/franchisor-rules-section.tsx'
import { LoadError, LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { useScrollToAnchor } from '#client/ui/use-scroll-to-anchor.ts'

export function Component() {
  const profile = useQuery(businessProfileQuery)
  const { data: team } = useQuery(teamQuery)
  const rules = useQuery(franchisorRulesQuery)
  const areReady = profile.isSuccess && !rules.isPending
  useScrollToAnchor(areReady)
  return (
    <>
      {profile.data && areReady ? (
        <div>
          <ProfileForm saved={profile.data.values} />
          <LocationsSection profile={profile.data} canShare={Boolean(team?.owned)} />
          {rules.data ? (
            <FranchisorRulesSection recorded={rules.data} />
          ) : (
            <LoadError what="your franchisor’s rules" query={rules} />
          )}
        </div>
      ) : profile.isError ? (
        <LoadError what="your business profile" query={profile} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="w-48 max-w-full" />
          <SkeletonText lines={2} className="mt-2 max-w-xl" />
          <div className="mt-6 grid max-w-xl gap-5">
            {[1, 2, 3, 4, 5, 6].map((field) => (
              <Skeleton key={field} className="h-24" />
            ))}
          </div>
        </LoadingPlaceholder>
      )}
    </>
  )
}
