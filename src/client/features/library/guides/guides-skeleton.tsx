import { Skeleton, SkeletonText } from '#client/ui/loading.tsx'

/** Two rows with the size of `GuideItem`. */
export function GuidesSkeleton() {
  return (
    <div>
      {[1, 2].map((row) => (
        <div
          key={row}
          className="grid grid-cols-[min(9rem,36vw)_minmax(0,1fr)] gap-x-[16px] border-b border-line py-8 sm:grid-cols-[9rem_minmax(0,1fr)] sm:grid-rows-[auto_1fr] sm:gap-x-8 sm:py-12 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-x-14"
        >
          <Skeleton className="aspect-[17/22] sm:row-span-2" />
          <div>
            <SkeletonText lines={1} className="w-28 max-w-full" />
            <SkeletonText lines={1} height="h-9" className="mt-1 max-w-sm" />
          </div>
          <div className="col-span-full sm:col-span-1">
            <SkeletonText lines={3} className="mt-4 measure sm:mt-3" />
            <Skeleton className="mt-5 h-11" />
            <SkeletonText lines={5} height="h-10" className="mt-6" />
          </div>
        </div>
      ))}
    </div>
  )
}
