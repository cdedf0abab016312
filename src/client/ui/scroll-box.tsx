import type { ReactNode } from 'react'

type ScrollBoxProps = {
  className: string
  children: ReactNode
} & ({ label: string } | { labelledBy: string })

/** A scrollable region. It is focusable so that the arrow keys can scroll it. */
export const ScrollBox = ({ className, children, ...name }: ScrollBoxProps) => (
  <section
    aria-label={'label' in name ? name.label : undefined}
    aria-labelledby={'labelledBy' in name ? name.labelledBy : undefined}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    tabIndex={0}
    className={className}
  >
    {children}
  </section>
)
