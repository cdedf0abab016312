import type { ReactNode } from 'react'

/** A bordered box for an inline setup or edit flow. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface p-[20px] sm:p-7">
      {children}
    </section>
  )
}
