import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, type RefCallback, useId, useState } from 'react'

type SectionProps = {
  title: string
  /** The current state, at the end of the title's line. */
  status?: ReactNode
  /** One or two sentences that explain the section. */
  lede?: ReactNode
  children?: ReactNode
}

export function Section({ title, status, lede, children }: SectionProps) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={titleId}
      className="border-t border-line py-8 first-of-type:border-t-0 first-of-type:pt-0"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 id={titleId} className="display text-xl">
          {title}
        </h3>
        {status && <p className="text-sm text-muted tabular-nums">{status}</p>}
      </div>
      {lede && <p className="mt-1.5 max-w-[60ch] text-muted">{lede}</p>}
      <div className="mt-5 empty:hidden">{children}</div>
    </section>
  )
}

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

type PanelProps = {
  label: string
  /** Of `useFocusWhenShown`, for a panel that takes the place of the pressed button and focuses none of its fields. */
  ref?: RefCallback<HTMLElement>
  children: ReactNode
}

/** A bordered box for an inline setup or edit flow. */
export function Panel({ label, ref, children }: PanelProps) {
  return (
    <section
      ref={ref}
      tabIndex={ref && -1}
      aria-label={label}
      className="rounded-lg border border-line bg-surface p-[20px] sm:p-7"
    >
      {children}
    </section>
  )
}

type DisclosureProps = { summary: ReactNode; defaultOpen?: boolean; className?: string; children: ReactNode }

/** Collapsible details. */
export function Disclosure({ summary, defaultOpen = false, className, children }: DisclosureProps) {
  const [startsOpen] = useState(defaultOpen)
  return (
    <details open={startsOpen || undefined} className={clsx('group', className)}>
      <summary className="flex min-h-11 list-none items-center gap-2 font-semibold">
        <ChevronRight
          aria-hidden
          className="-ml-1.5 size-5 shrink-0 text-muted transition-transform group-open:rotate-90"
          strokeWidth={1.75}
        />
        {summary}
      </summary>
      {children}
    </details>
  )
}
