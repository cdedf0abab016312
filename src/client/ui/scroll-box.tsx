import type { ReactNode } from 'react'

type ScrollBoxProps = {
  className: string
  children: ReactNode
} & ({ label: string } | { labelledBy: string })

/** A part of a page that scrolls by itself. It takes the focus, so that it also scrolls by the arrow keys. */
export const ScrollBox = ({ className, children, ...name }: ScrollBoxProps) => (
  <section
    aria-label={'label' in name ? name.label : undefined}
    aria-labelledby={'labelledBy' in name ? name.labelledBy : undefined}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    tabIndex={0}
    className={className}
  >
    {children}
  </section>
)
