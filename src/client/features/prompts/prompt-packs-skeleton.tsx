import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

/** Two categories with the size of `PromptCategorySection`. */
export function PromptPacksSkeleton() {
  return (
    <div>
      <Skeleton className="mt-6 h-34 sm:h-11 sm:max-w-3xl" />
      {[1, 2].map((category) => (
        <div
          key={category}
          className="border-b border-line py-8 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-12 lg:py-12"
        >
          <div className="mb-5 lg:mb-0">
            <SkeletonText lines={1} height="h-9" className="w-40" />
            <SkeletonText lines={1} className="mt-1 w-24" />
            <SkeletonText lines={5} className="mt-3" />
          </div>
          <div>
            {[1, 2, 3].map((row) => (
              <div key={row} className="flex justify-between gap-4 border-t border-line py-4">
                <SkeletonText lines={5} className="w-3/5" />
                <Skeleton className="h-11 w-24 sm:h-9" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
