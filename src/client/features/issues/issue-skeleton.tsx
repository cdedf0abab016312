import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

export function IssueSkeleton() {
  return (
    <div>
      <SkeletonText lines={1} className="w-40" />
      <SkeletonText lines={2} height="h-10 sm:h-13" className="mt-3 max-w-xl" />
      <SkeletonText lines={2} height="h-7" className="mt-4 measure" />
      <Skeleton className="mt-4 mb-6 h-5 w-44" />
      <div className="rule-double" />
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-12">
        <SkeletonText lines={6} height="h-11" className="pt-9" />
        <div className="measure">
          <SkeletonText lines={5} height="h-7" className="pt-8" />
          <SkeletonText lines={7} height="h-7" className="mt-12" />
        </div>
      </div>
    </div>
  )
}
