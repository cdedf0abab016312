import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

export const iconButtonStyles =
  'inline-grid size-[44px] shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon
  /** The accessible name; shown as a tooltip as well. */
  label: string
}

export function IconButton({ icon: Icon, label, type = 'button', className, ...rest }: IconButtonProps) {
  return (
    <button type={type} aria-label={label} title={label} className={clsx(iconButtonStyles, className)} {...rest}>
      <Icon aria-hidden className="size-5" strokeWidth={1.75} />
    </button>
  )
}
