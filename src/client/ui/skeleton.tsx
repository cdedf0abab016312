import { clsx } from 'clsx'

/** Reserves the space of content that is loading. Give it the same height as the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton block', className)} />
}

/** Placeholder lines of text. `height` is the Tailwind class of one line's height. */
export function SkeletonText({
  lines,
  height = 'h-6',
  className,
}: {
  lines: number
  height?: string
  className?: string
}) {
  return (
    <span aria-hidden className={clsx('block', className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and never reordered
        <span key={line} className={clsx('flex items-center', height)}>
          <span className={clsx('skeleton block h-3', line === lines - 1 && lines > 1 ? 'w-3/5' : 'w-full')} />
        </span>
      ))}
    </span>
  )
}
