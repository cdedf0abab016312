import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type QuietActionProps = Omit<ComponentProps<'button'>, 'className'> & { icon: LucideIcon }

/** An action below a text: an icon and its word, without a border. */
export const QuietAction = ({ icon: Icon, children, ...rest }: QuietActionProps) => (
  <button
    type="button"
    className="inline-flex min-h-11 items-center gap-1.5 rounded-md px-2.5 text-sm text-muted transition-colors hover:bg-sunken hover:text-ink"
    {...rest}
  >
    <Icon aria-hidden className="size-4.5 shrink-0" strokeWidth={1.75} />
    {children}
  </button>
)
