import type { ReactNode } from 'react'

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode }

/** Nothing to show, and that is no mistake. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="border-y border-line py-12">
      <p className="display text-xl">{title}</p>
      {children && <div className="mt-2 max-w-[62ch] text-muted">{children}</div>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}
