import { Skeleton, SkeletonText } from '#client/ui/loading.tsx'

/** The contents and the first tools, with the size of `ToolContents` and `ToolItem`. */
export function ToolsSkeleton() {
  return (
    <div>
      <div className="gap-x-12 py-3 lg:grid lg:grid-cols-2">
        {[1, 2, 3, 4, 5, 6, 7, 8].map((entry) => (
          <SkeletonText key={entry} lines={1} height="h-[3.5625rem] sm:h-11" />
        ))}
      </div>
      {[1, 2].map((tool) => (
        <div
          key={tool}
          className="border-t-2 border-ink pt-4 pb-8 sm:pt-6 sm:pb-12 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-12"
        >
          <SkeletonText lines={1} height="h-9" className="w-36 max-w-full sm:pb-6 lg:pb-0" />
          <div>
            <SkeletonText lines={2} height="h-7" className="mt-2 max-w-[46ch] lg:mt-0.5" />
            <Skeleton className="my-4 h-58 sm:my-5 sm:h-38" />
            <Skeleton className="h-24 sm:hidden" />
            <SkeletonText lines={8} className="measure max-sm:hidden" />
            <SkeletonText lines={6} height="h-14" className="mt-6 max-sm:hidden" />
            <Skeleton className="mt-4 h-24 max-w-80 sm:mt-6 sm:h-11" />
          </div>
        </div>
      ))}
    </div>
  )
}
