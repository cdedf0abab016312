import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

/** Three rows with the size of `IssueList` rows. */
export function IssueListSkeleton() {
  return (
    <div>
      {[1, 2, 3].map((row) => (
        <div key={row} className="border-b border-line py-6 sm:grid sm:grid-cols-[9.5rem_1fr] sm:gap-8 sm:py-8">
          <SkeletonText lines={1} className="w-28 sm:pt-1.5" />
          <div className="mt-2 sm:mt-0">
            <SkeletonText lines={1} height="h-7 sm:h-9" className="max-w-md" />
            <SkeletonText lines={2} className="mt-2 measure" />
            <Skeleton className="mt-4 h-5 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
