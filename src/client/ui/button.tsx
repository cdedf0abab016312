import { clsx } from 'clsx'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { Link, type LinkProps } from 'react-router'

/** Decorative: the surrounding control or text must say what is loading. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin" strokeWidth={1.75} />
}

const shape = clsx(
  'relative inline-flex items-center justify-center gap-2 rounded-md border text-center font-semibold no-underline',
  'transition-colors select-none touch-manipulation',
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted',
)
const variants = {
  primary: 'border-primary bg-primary text-on-primary enabled:hover:bg-primary-hover [a&]:hover:bg-primary-hover',
  secondary:
    'border-line-strong bg-surface text-ink enabled:hover:border-ink enabled:hover:bg-sunken [a&]:hover:border-ink [a&]:hover:bg-sunken',
  quiet:
    'border-transparent text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken disabled:border-transparent disabled:bg-transparent',
  danger: 'border-danger bg-danger text-on-danger enabled:hover:bg-danger-hover [a&]:hover:bg-danger-hover',
}
/** On touch screens every size is at least 44 px high. */
const sizes = {
  sm: 'min-h-[44px] px-3 text-sm sm:min-h-9',
  md: 'min-h-[44px] px-[16px] text-base',
  lg: 'min-h-13 px-[24px] text-lg',
}

export type ButtonStyle = {
  variant?: keyof typeof variants | undefined
  size?: keyof typeof sizes | undefined
  block?: boolean | undefined
}

/** Shared with links that look like buttons. */
const buttonStyles = ({ variant = 'primary', size = 'md', block = false }: ButtonStyle) =>
  clsx(shape, variants[variant], sizes[size], block && 'w-full')

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    /** Shows a spinner and ignores clicks; size, focus and accessible name stay. With it, a double click counts as one click. */
    pending?: boolean
  }

export function Button({
  variant,
  size,
  block,
  pending,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  // aria-disabled instead of disabled, which would lose the keyboard focus.
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click can come before the first has made it pending.
    if (pending || (pending === false && event.detail > 1)) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type={type}
      className={clsx(buttonStyles({ variant, size, block }), className)}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={handleClick}
      {...rest}
    >
      <span className={clsx('inline-flex items-center justify-center gap-2', pending && 'opacity-0')}>{children}</span>
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}

/** A router link styled as a button. */
export function ButtonLink({ variant, size, block, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link className={clsx(buttonStyles({ variant, size, block }), className)} {...rest} />
}

/** A plain link styled as a button, for other sites and anchors. */
export function ButtonAnchor({ variant, size, block, className, ...rest }: ComponentProps<'a'> & ButtonStyle) {
  return <a className={clsx(buttonStyles({ variant, size, block }), className)} {...rest} />
}

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
