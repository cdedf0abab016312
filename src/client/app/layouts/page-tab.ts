import { clsx } from 'clsx'

/** An entry of the list that leads from page to page; the marigold line says where one is. */
export const pageTab = (isActive: boolean) =>
  clsx(
    'relative flex min-h-11 min-w-11 items-center whitespace-nowrap -outline-offset-3',
    'after:absolute after:inset-x-0 after:-bottom-px after:h-0.75',
    isActive ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
  )
