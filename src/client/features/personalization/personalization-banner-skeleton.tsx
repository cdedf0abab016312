import { Skeleton } from '#client/ui/skeleton.tsx'

/** Same height as the banner. */
export function PersonalizationBannerSkeleton() {
  return <Skeleton className="mt-6 h-12 rounded-none max-sm:mt-2" />
}
