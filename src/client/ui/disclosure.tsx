import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

type DisclosureProps = { summary: ReactNode; className?: string; children: ReactNode }

/** Collapsible details. */
export function Disclosure({ summary, className, children }: DisclosureProps) {
  return (
    <details className={clsx('group', className)}>
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
