import { clsx } from 'clsx'

/** The list of a page's neighbors: on a phone it runs from edge to edge and moves under the thumb. */
export const pageTabsNav = '-mx-(--gutter) overflow-x-auto px-(--gutter)'

/** Its hairline is as long as the list, seen or not; the first word stands at the page's edge. */
export const pageTabs = 'flex w-max min-w-full border-b border-line [&>li:first-child]:-ml-3'

/** An entry of the list that leads from page to page; the marigold line says where one is. */
export const pageTab = (isActive: boolean) =>
  clsx(
    'relative flex min-h-11 items-center px-3 whitespace-nowrap -outline-offset-3',
    'after:absolute after:inset-x-3 after:-bottom-px after:h-0.75',
    isActive ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
  )
