import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type PageHeadingProps = {
  title: ReactNode
  /** A line under the title that says what the page is for. */
  lede?: ReactNode
  /** Placed beside the title on wide screens. */
  aside?: ReactNode
  className?: string
}

export function PageHeading({ title, lede, aside, className }: PageHeadingProps) {
  return (
    <header className={clsx('pt-8 sm:pt-12 print:pt-0', className)}>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 pb-4">
        <div className="grid gap-2">
          <h1 className="display text-3xl sm:text-4xl">{title}</h1>
          {lede && <p className="print:hidden max-w-[60ch] text-lg text-balance text-muted">{lede}</p>}
        </div>
        {aside}
      </div>
      <div aria-hidden className="rule-double" />
    </header>
  )
}
