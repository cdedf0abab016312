import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type BannerProps = {
  title: string
  icon?: LucideIcon
  /** One short line beside the title. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** The strip above a list that says why it stands in this order. */
export function Banner({ title, icon: Icon, aside, className, children }: BannerProps) {
  return (
    <section
      aria-label={title}
      className={clsx('border-l-3 border-accent bg-accent-soft px-4 py-3 sm:px-5', className)}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {Icon && <Icon aria-hidden className="size-5 text-accent-ink" strokeWidth={1.75} />}
        <h2 className="font-semibold">{title}</h2>
        {aside && <p className="text-sm text-accent-ink">{aside}</p>}
      </div>
      <div className="mt-1 text-sm">{children}</div>
    </section>
  )
}
