import { clsx } from 'clsx'
import { Bookmark, BookOpen, FileText, type LucideIcon, Newspaper, TextQuote, Wrench } from 'lucide-react'
import { Link, NavLink } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { measureBottomBar } from '#client/ui/bottom-bar.ts'

const savedTab = { href: '/portal/saved', label: 'Saved' }

const icons: Readonly<Record<string, LucideIcon>> = {
  '/portal/weekly-drops': Newspaper,
  '/portal/prompt-packs': TextQuote,
  '/portal/guides': BookOpen,
  '/portal/tools': Wrench,
  '/portal/saved': Bookmark,
}

const bar =
  'print:hidden fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:static sm:border-t-0 sm:border-b sm:bg-transparent sm:pb-0'

/** Tabs under the header; on a phone, a bar at the bottom of the screen. What is saved is in the header if it has room. */
export function PortalTabs() {
  const { tabs } = publication.navigation
  return (
    <nav ref={measureBottomBar} aria-label="Portal" className={clsx(bar, '@container')}>
      <ul className="grid auto-cols-fr grid-flow-col @max-[15rem]:flex @max-[15rem]:justify-between @max-[15rem]:px-2 sm:mx-auto sm:flex sm:max-w-[72rem] sm:flex-wrap sm:gap-x-8 sm:px-4 md:px-8">
        {[...tabs, savedTab].map(({ href, label }) => {
          const Icon = icons[href] ?? FileText
          return (
            <li
              key={href}
              className={clsx('min-w-0 @max-[15rem]:w-min', href === savedTab.href && '@min-[40rem]:hidden')}
            >
              <NavLink
                to={href}
                className={({ isActive }) =>
                  clsx(
                    'portal-tab',
                    isActive ? 'text-ink after:bg-accent sm:font-semibold' : 'text-muted hover:text-ink',
                  )
                }
              >
                {/* Hidden when text is enlarged, so that the bar stays low and all tabs fit. */}
                <Icon aria-hidden className="size-5 shrink-0 sm:size-4.5 @max-[15rem]:hidden" strokeWidth={1.75} />
                {label}
              </NavLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Replaces the tabs, at the same height, for users without a subscription. */
export function NoPlanStrip() {
  return (
    <div ref={measureBottomBar} className={bar}>
      <p className="page flex min-h-[64px] flex-wrap items-center justify-between gap-x-4 text-sm text-muted sm:min-h-12">
        You need an active plan to open the portal.
        <Link to="/#pricing" className="text-link inline-flex min-h-11 items-center font-semibold whitespace-nowrap">
          {publication.labels.choosePlan}
        </Link>
      </p>
    </div>
  )
}
