import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  /** Use 1 if the page has no other heading. */
  level?: 1 | 2
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ title, level = 2, children, action }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="border-y border-line py-12">
      <Heading className="display text-xl">{title}</Heading>
      {children && <div className="mt-2 measure text-muted">{children}</div>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}
