import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type BannerProps = {
  title: string
  icon?: LucideIcon
  /** A link or small control at the end of the title's line. */
  action?: ReactNode
  className?: string
  children?: ReactNode
}

/** A strip above a list that explains its order. */
export function Banner({ title, icon: Icon, action, className, children }: BannerProps) {
  return (
    <section
      aria-label={title}
      className={clsx('border-l-3 border-accent bg-accent-soft px-[16px] py-3 sm:px-5 print:hidden', className)}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="flex items-center gap-2 font-semibold">
          {Icon && <Icon aria-hidden className="size-5 shrink-0 text-accent-ink" strokeWidth={1.75} />}
          {title}
        </h2>
        {action}
      </div>
      <div className="mt-1 text-sm empty:hidden">{children}</div>
    </section>
  )
}
