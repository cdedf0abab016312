import type { ReactNode } from 'react'

/** A description list with a line above each item; on wide screens, names form a column. */
export function PropertyList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-t border-line">{children}</dl>
}

export function Property({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 py-2.5 tabular-nums sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 has-[.action-row]:grow">{children}</dd>
    </div>
  )
}
