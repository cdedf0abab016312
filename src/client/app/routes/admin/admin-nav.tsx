import { clsx } from 'clsx'
import { Link, useLocation } from 'react-router'
import { measureBottomBar } from '#client/ui/bottom-bar.ts'
import { useScrollToActiveTab } from '../../layouts/use-scroll-to-active-tab.ts'
import type { AdminSection, findAdminPage } from './admin-navigation.ts'

/** Wraps a row of page tabs; on a phone it spans the full width and scrolls. */
const pageTabsNav = '-mx-(--gutter) overflow-x-auto px-(--gutter)'

/** The underline is as wide as the tabs, visible or not; the first label aligns with the page's text. */
const pageTabs = 'flex w-max min-w-full border-b border-line [&>li:first-child]:-ml-3'

/** A tab link; the accent line marks the current page. */
const pageTab = (isActive: boolean) =>
  clsx(
    'relative flex min-h-11 items-center px-3 whitespace-nowrap -outline-offset-3',
    'after:absolute after:inset-x-3 after:-bottom-px after:h-0.75',
    isActive ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
  )

type CurrentPage = ReturnType<typeof findAdminPage>
type AdminNavProps = { sections: readonly AdminSection[]; current: CurrentPage }

/**
 * The admin's sections: a column on a desktop, with the pages of the current section; a row on a tablet; and a bar at
 * the bottom of a phone, where every section is one tap away.
 */
export function AdminNav({ sections, current }: AdminNavProps) {
  return (
    <nav
      ref={measureBottomBar}
      aria-label="Admin pages"
      className={clsx(
        '@container fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] print:hidden',
        'sm:static sm:border-t-0 sm:border-b sm:bg-transparent sm:pb-0',
        'lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:border-b-0 lg:pt-12 lg:pb-8',
      )}
    >
      {/* Without icons in a column, and with enlarged text, which needs two rows. */}
      <ul className="grid grid-cols-6 @max-[22rem]:grid-cols-3 sm:flex sm:gap-6 sm:px-(--gutter) lg:block lg:px-0">
        {sections.map((section) => (
          <SectionEntry
            key={section.label}
            section={section}
            isCurrent={current?.section.label === section.label}
            current={current}
          />
        ))}
      </ul>
    </nav>
  )
}

type SectionEntryProps = { section: AdminSection; isCurrent: boolean; current: CurrentPage }

function SectionEntry({ section: { to, label, icon: Icon, pages }, isCurrent, current }: SectionEntryProps) {
  const { pathname } = useLocation()
  return (
    <li className="lg:border-b lg:border-line">
      <Link
        to={to}
        aria-current={isCurrent ? (pathname === to ? 'page' : 'true') : undefined}
        className={clsx(
          'relative flex min-h-[60px] flex-col items-center justify-center gap-1 text-center text-[0.6875rem] leading-tight font-medium -outline-offset-3 transition-colors @max-[22rem]:min-h-[44px]',
          'sm:min-h-12 sm:flex-row sm:gap-2 sm:text-sm lg:min-h-11 lg:justify-start lg:gap-2.5',
          'after:absolute after:inset-x-2 after:top-0 after:h-0.75 sm:after:inset-x-0 sm:after:top-auto sm:after:-bottom-px',
          isCurrent ? 'text-ink after:bg-accent sm:font-semibold' : 'text-muted hover:text-ink',
        )}
      >
        <Icon aria-hidden className="size-5 shrink-0 sm:size-4.5 @max-[22rem]:hidden" strokeWidth={1.75} />
        {label}
      </Link>
      {isCurrent && pages.length > 1 && (
        <nav aria-label={`${label} pages`} className="hidden py-2 lg:block">
          <ul>
            {pages.map((page) => (
              <li key={page.to}>
                <Link
                  to={page.to}
                  aria-current={current?.page.to === page.to ? 'page' : undefined}
                  className={clsx(
                    'flex min-h-9 items-center pl-3 text-sm -outline-offset-3',
                    current?.page.to === page.to ? 'font-semibold text-ink' : 'text-muted hover:text-ink',
                  )}
                >
                  {page.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </li>
  )
}

/** The pages of the current section on a phone or tablet. Detail pages have a link back instead. */
export function SectionTabs({ sections, current }: AdminNavProps) {
  const list = useScrollToActiveTab()
  const { pathname } = useLocation()
  const section = sections.find(({ label }) => label === current?.section.label)
  if (!section || section.pages.length < 2 || pathname !== current?.page.to) return null
  return (
    <nav ref={list} aria-label={`${section.label} pages`} className={clsx(pageTabsNav, 'pt-2 lg:hidden print:hidden')}>
      <ul className={pageTabs}>
        {section.pages.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={pathname === to ? 'page' : undefined}
              className={clsx(pageTab(pathname === to), 'text-sm')}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
