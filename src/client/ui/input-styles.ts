import { clsx } from 'clsx'

/** A text field, select or textarea. Smaller than 16 px, iPhones would zoom in on it, so only `pointer-fine` makes it smaller. */
export const inputStyles = clsx(
  'min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink transition-colors',
  'hover:border-ink aria-invalid:border-danger disabled:bg-sunken disabled:text-muted [select&]:pr-9',
)
