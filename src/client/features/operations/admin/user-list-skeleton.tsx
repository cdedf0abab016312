import { SkeletonText } from '#client/ui/skeleton.tsx'

export function UserListSkeleton() {
  return (
    <div>
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <div
          key={row}
          className="grid gap-x-8 gap-y-2 border-b border-line py-3 md:grid-cols-[minmax(0,5fr)_7rem_minmax(0,9fr)]"
        >
          <SkeletonText lines={1} className="max-w-64" />
          <SkeletonText lines={1} className="w-24" />
          <SkeletonText lines={4} className="max-w-96" />
        </div>
      ))}
    </div>
  )
}
