import { clsx } from 'clsx'

/** A text field, select or textarea. */
export const inputStyles = clsx(
  'min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink transition-colors',
  'hover:border-ink aria-invalid:border-danger disabled:bg-sunken disabled:text-muted [select&]:pr-9',
)
