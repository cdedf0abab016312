import { clsx } from 'clsx'

/** A hairline, or the double rule of a masthead. Decoration: headings carry the structure. */
export function Rule({ double = false, className }: { double?: boolean; className?: string }) {
  return <div aria-hidden className={clsx(double ? 'rule-double' : 'border-t border-line', className)} />
}
