import { ConciergeBell } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  /** Use 1 if the page has no other heading. */
  level?: 1 | 2
  children?: ReactNode
  action?: ReactNode
}

/** An empty counter. */
export function EmptyState({ title, level = 2, children, action }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="py-12">
      <div aria-hidden className="mb-4 w-16">
        <ConciergeBell className="mx-auto size-8 text-muted" strokeWidth={1.5} />
        <div className="rule-double -mt-1.5" />
      </div>
      <Heading className="display text-xl">{title}</Heading>
      {children && <div className="mt-2 measure text-muted">{children}</div>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}
