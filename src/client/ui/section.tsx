import { type ReactNode, useId } from 'react'

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
