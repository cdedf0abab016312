import { Skeleton, SkeletonText } from '#client/ui/loading.tsx'

/** Two packs with the size of `PromptCategorySection`. */
export function PromptPacksSkeleton() {
  return (
    <div>
      <Skeleton className="mt-6 h-34 sm:h-11 sm:max-w-3xl" />
      <Skeleton className="mt-5 h-16 lg:hidden" />
      {[1, 2].map((pack) => (
        <div key={pack} className="mt-10 lg:mt-14 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-x-12">
          <div aria-hidden className="pack-edge lg:col-span-2" />
          <div className="my-4 lg:my-6">
            <SkeletonText lines={1} height="h-9" className="w-40 max-w-full" />
            <SkeletonText lines={4} className="mt-2" />
          </div>
          <div>
            {[1, 2, 3].map((row) => (
              <div key={row} className="flex gap-6 border-t border-line py-3 sm:py-4 lg:first:border-t-0">
                <Skeleton className="h-11 w-10" />
                <SkeletonText lines={1} height="h-11" className="w-3/5" />
                <span className="h-46 sm:h-32" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
