import type { ReactNode, RefCallback } from 'react'

type PanelProps = {
  label: string
  /** Of `useFocusWhenShown`, for a panel that takes the place of the pressed button and focuses none of its fields. */
  ref?: RefCallback<HTMLElement>
  children: ReactNode
}

/** A bordered box for an inline setup or edit flow. */
export function Panel({ label, ref, children }: PanelProps) {
  return (
    <section
      ref={ref}
      tabIndex={ref && -1}
      aria-label={label}
      className="rounded-lg border border-line bg-surface p-[20px] sm:p-7"
    >
      {children}
    </section>
  )
}
