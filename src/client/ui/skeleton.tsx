import { clsx } from 'clsx'

/** Holds a place in the size of what will stand there. Give it the height of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton block', className)} />
}

/** Lines of text to come: `height` per line as the text will have (a Tailwind height class). */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <span key={line} className={clsx('flex items-center', height)}>
          <span className={clsx('skeleton block h-3', line === lines - 1 && lines > 1 ? 'w-3/5' : 'w-full')} />
        </span>
      ))}
    </span>
  )
}
