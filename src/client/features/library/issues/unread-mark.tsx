import { clsx } from 'clsx'

export function UnreadMark({ className }: { className?: string }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 font-sans text-xs font-semibold tracking-normal whitespace-nowrap text-accent-ink print:hidden',
        className,
      )}
    >
      <span aria-hidden className="size-2.5 rounded-full bg-accent" />
      Unread
    </span>
  )
}
