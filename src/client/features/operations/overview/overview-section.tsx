import { type ReactNode, useId } from 'react'

type OverviewSectionProps = { title: string; aside?: ReactNode; className?: string; children: ReactNode }

/** A column of the overview. */
export function OverviewSection({ title, aside, className, children }: OverviewSectionProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className={className}>
      <div className="flex min-h-10 flex-wrap items-end justify-between gap-x-4 border-b-2 border-ink pb-1.5">
        <h2 id={titleId} className="display text-xl">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
