import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

/** Two rows with the size of `ToolItem`. */
export function ToolsSkeleton() {
  return (
    <div>
      {[1, 2].map((row) => (
        <div
          key={row}
          className="border-b border-line py-8 sm:py-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12"
        >
          <div>
            <SkeletonText lines={1} height="h-9" className="w-36" />
            <SkeletonText lines={1} className="w-20" />
          </div>
          <div className="mt-3 lg:mt-0">
            <SkeletonText lines={2} height="h-7" className="max-w-[46ch]" />
            <Skeleton className="mt-3 h-6 w-40" />
            <SkeletonText lines={2} className="mt-5 measure" />
            <Skeleton className="mt-5 h-32 measure" />
            <SkeletonText lines={4} height="h-8" className="mt-6" />
            <Skeleton className="mt-6 h-11 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
