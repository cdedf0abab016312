import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

/** The contents and the first rows, with the size of `ToolContents` and `ToolItem`. */
export function ToolsSkeleton() {
  return (
    <div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] gap-x-6 border-b border-line py-4 lg:grid-cols-4">
        {[1, 2, 3, 4, 5, 6, 7, 8].map((entry) => (
          <SkeletonText key={entry} lines={2} height="h-[1.625rem]" className="max-w-32" />
        ))}
      </div>
      {[1, 2].map((row) => (
        <div
          key={row}
          className="border-b border-line py-8 sm:py-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-12"
        >
          <div>
            <SkeletonText lines={1} height="h-9" className="w-36" />
            <SkeletonText lines={1} className="w-20" />
          </div>
          <SkeletonText lines={2} height="h-7" className="mt-3 max-w-[46ch] lg:mt-0" />
          <SkeletonText lines={5} className="mt-4 lg:mt-5" />
          <div className="mt-4 lg:mt-5">
            <SkeletonText lines={2} className="measure" />
            <SkeletonText lines={5} height="h-10" className="mt-6" />
            <SkeletonText lines={2} className="mt-6 measure" />
            <SkeletonText lines={4} height="h-8" className="mt-6" />
            <Skeleton className="mt-6 h-32 measure" />
            <Skeleton className="mt-6 h-11 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
