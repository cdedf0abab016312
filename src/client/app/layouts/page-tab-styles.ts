import { clsx } from 'clsx'

/** Wraps a row of page tabs; on a phone it spans the full width and scrolls. */
export const pageTabsNav = '-mx-(--gutter) overflow-x-auto px-(--gutter)'

/** The underline is as wide as the tabs, visible or not; the first label aligns with the page's text. */
export const pageTabs = 'flex w-max min-w-full border-b border-line [&>li:first-child]:-ml-3'

/** A tab link; the accent line marks the current page. */
export const pageTab = (isActive: boolean) =>
  clsx(
    'relative flex min-h-11 items-center px-3 whitespace-nowrap -outline-offset-3',
    'after:absolute after:inset-x-3 after:-bottom-px after:h-0.75',
    isActive ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
  )
