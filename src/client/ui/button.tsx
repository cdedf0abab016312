import { cva, type VariantProps } from 'class-variance-authority'
import { clsx } from 'clsx'
import type { ComponentProps, MouseEvent } from 'react'
import { Spinner } from './spinner.tsx'

/** Shared with links that look like buttons (button-link.tsx). */
export const buttonStyles = cva(
  [
    'relative inline-flex items-center justify-center gap-2 rounded-md border text-center font-semibold no-underline',
    'transition-colors select-none touch-manipulation',
    'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted',
  ],
  {
    variants: {
      variant: {
        primary: 'border-primary bg-primary text-on-primary enabled:hover:bg-primary-hover [a&]:hover:bg-primary-hover',
        secondary:
          'border-line-strong bg-surface text-ink enabled:hover:border-ink enabled:hover:bg-sunken [a&]:hover:border-ink [a&]:hover:bg-sunken',
        quiet:
          'border-transparent text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken disabled:border-transparent disabled:bg-transparent',
        danger: 'border-danger bg-danger text-on-danger enabled:hover:bg-danger-hover [a&]:hover:bg-danger-hover',
      },
      /** On touch screens every size is at least 44 px high. */
      size: {
        sm: 'min-h-[44px] px-3 text-sm sm:min-h-9',
        md: 'min-h-[44px] px-[16px] text-base',
        lg: 'min-h-13 px-[24px] text-lg',
      },
      block: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'primary', size: 'md', block: false },
  },
)

export type ButtonStyle = VariantProps<typeof buttonStyles>

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
