import { Skeleton } from '#client/ui/skeleton.tsx'

/** Same height as the banner with one line of reasons. */
export function PersonalizationBannerSkeleton() {
  return <Skeleton className="mt-6 h-19 rounded-none" />
}
