import type { ReactNode } from 'react'

/** Where something is set up, in the middle of the page it belongs to. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface p-[20px] sm:p-7">
      {children}
    </section>
  )
}
