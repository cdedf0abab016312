import { useQuery } from '@tanstack/react-query'
import { businessProfileQuery } from '#client/features/business-profile/business-profile.api.ts'
import { LocationsSection } from '#client/features/business-profile/locations-section.tsx'
import { ProfileForm } from '#client/features/business-profile/profile-form.tsx'
import { teamQuery } from '#client/features/teams/teams.api.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

export function Component() {
  const profile = useQuery(businessProfileQuery)
  const { data: team } = useQuery(teamQuery)
  return (
    <>
      <h2 className="sr-only">Business</h2>
      {profile.data ? (
        <div>
          <ProfileForm saved={profile.data.values} />
          <LocationsSection profile={profile.data} canShare={Boolean(team?.owned)} />
        </div>
      ) : profile.isError ? (
        <LoadError what="your business profile" query={profile} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="w-48" />
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
