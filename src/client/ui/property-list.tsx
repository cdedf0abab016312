import type { ReactNode } from 'react'

/** A list of facts, a hairline above each, names in one column where there is room. The next section's line ends it. */
export function PropertyList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-t border-line">{children}</dl>
}

/** A short one stands on one line with its name, on a phone as well. */
export function Property({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 py-2.5 tabular-nums sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
