import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

/** Two rows with the size of `GuideItem`. */
export function GuidesSkeleton() {
  return (
    <div>
      {[1, 2].map((row) => (
        <div
          key={row}
          className="border-b border-line py-8 sm:py-10 lg:grid lg:grid-cols-[minmax(0,1fr)_13rem] lg:gap-16"
        >
          <div>
            <SkeletonText lines={1} className="w-28" />
            <SkeletonText lines={1} height="h-9" className="mt-1 max-w-sm" />
            <SkeletonText lines={2} className="mt-2 measure" />
            <SkeletonText lines={4} height="h-8" className="mt-5 measure" />
          </div>
          <div className="mt-6 lg:mt-8">
            <SkeletonText lines={3} height="h-7" className="mb-4 lg:pt-4" />
            <Skeleton className="h-11" />
          </div>
        </div>
      ))}
    </div>
  )
}
