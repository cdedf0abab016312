import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type PageHeadingProps = {
  title: ReactNode
  /** A line under the title that says what the page is for. */
  lede?: ReactNode
  /** Placed beside the title on wide screens. */
  aside?: ReactNode
  /** Content above the heading's rule. */
  art?: 'bell' | 'papers' | 'tickets' | 'binders' | 'tools'
  /** One low line on a phone, without the lede. */
  low?: boolean
  className?: string
}

export function PageHeading({ title, lede, aside, art, low = false, className }: PageHeadingProps) {
  return (
    <header className={clsx('@container sm:pt-12 print:pt-0', low ? 'pt-3' : 'pt-8', className)}>
      <div className="flex items-end justify-between gap-x-4 sm:gap-x-8">
        <div
          className={clsx(
            'flex min-w-0 grow flex-wrap items-end justify-between gap-x-8 gap-y-3 sm:pb-4',
            low ? 'pb-1.5' : 'pb-4',
          )}
        >
          <div className="grid gap-2">
            <h1 className={clsx('display sm:text-4xl', low ? 'max-sm:text-xl' : 'text-3xl')}>{title}</h1>
            {lede && (
              <p
                className={clsx('max-w-[60ch] text-balance text-muted sm:text-lg print:hidden', low && 'max-sm:hidden')}
              >
                {lede}
              </p>
            )}
          </div>
          {aside}
        </div>
        {art && (
          <span
            aria-hidden
            data-art={art}
            className={clsx('counter-art @max-[15rem]:hidden', low && 'max-sm:h-7 max-sm:w-10.5')}
          />
        )}
      </div>
      <div aria-hidden className="rule-double" />
    </header>
  )
}
