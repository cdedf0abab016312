import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

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
