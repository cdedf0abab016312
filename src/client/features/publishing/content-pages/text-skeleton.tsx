import { SkeletonText } from '#client/ui/loading.tsx'

/** For pages of text, whose length isn't known. */
export function TextSkeleton() {
  return (
    <div className="grid gap-8 pt-8">
      {[3, 4, 4, 3].map((lines, part) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are never reordered
        <SkeletonText key={part} lines={lines} height="h-7" className="measure" />
      ))}
    </div>
  )
}
