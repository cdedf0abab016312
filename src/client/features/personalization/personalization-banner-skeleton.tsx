import { Skeleton } from '#client/ui/skeleton.tsx'

/** As high as the banner with one line of reasons. */
export function PersonalizationBannerSkeleton() {
  return <Skeleton className="mt-6 h-19 rounded-none" />
}
