import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Link, Navigate, NavLink, Outlet, useLocation } from 'react-router'
import { MembersFrame } from '#client/app/layouts/members-layout.tsx'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { publication } from '#client/lib/publication.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { hasTab } from '#shared/domain/tabs.ts'

const wide = window.matchMedia('(min-width: 64rem)')

function watchWidth(notify: () => void) {
  wide.addEventListener('change', notify)
  return () => wide.removeEventListener('change', notify)
}

/** On a desktop the list of pages is beside each page; on a phone it is a page of its own. */
export function Component() {
  // The tab is shown to owners and members. Everyone else can open the page by URL and learns how to start a team.
  const { data: team } = useQuery(teamQuery)
  const { pathname } = useLocation()
  const isWide = useSyncExternalStore(watchWidth, () => wide.matches)
  const isList = pathname.replace(/\/+$/, '') === '/account'
  const page = accountPages.find(({ to }) => to === pathname)
  const hasTeam = Boolean(team?.owned || team?.membership || team?.request) || pathname === teamPage
  if (isList && isWide) return <Navigate to="/account/profile" replace />
  return (
    <MembersFrame>
      {(isWide || isList) && (
        <PageHeading title="Account" aside={isWide && <PortalLinks hasTeam={hasTeam} />} low={!isWide} />
      )}
      <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-16">
        {isWide || isList ? (
          <PageList isWide={isWide} hasTeam={hasTeam} />
        ) : (
          <>
            <BackLink to="/account">Account</BackLink>
            <PageHeading title={page?.label} />
          </>
        )}
        {!isList && (
          <div className="pt-8 pb-8">
            {isWide && page && <h2 className="sr-only">{page.label}</h2>}
            <Outlet />
          </div>
        )}
      </div>
    </MembersFrame>
  )
}

function PageList({ isWide, hasTeam }: { isWide: boolean; hasTeam: boolean }) {
  const { subscription } = useSubscription()
  const pages: readonly AccountPage[] =
    isWide || !subscription.subscribed ? accountPages : [...accountPages, ...portalPages]
  return (
    <nav aria-label="Account pages" className="lg:pt-8">
      <ul className="lg:sticky lg:top-8">
        {pages
          .filter(({ to }) => hasTeam || (to !== teamPage && to !== assignmentsPage))
          // In the bar at the bottom.
          .filter(({ to }) => to !== '/portal/saved')
          .map(({ to, label, about }) => (
            <li key={to} className="border-b border-line">
              <NavLink
                to={to}
                className={({ isActive }) =>
                  clsx(
                    'relative flex items-center justify-between gap-4 py-3 -outline-offset-3 after:absolute after:inset-x-0 after:-bottom-px after:h-0.75 lg:min-h-11 lg:py-0',
                    isActive ? 'text-ink lg:font-semibold lg:after:bg-accent' : 'lg:text-muted lg:hover:text-ink',
                  )
                }
              >
                <span>
                  <span className={isWide ? '' : 'font-semibold'}>{label}</span>
                  {!isWide && <span className="block text-sm text-muted">{about}</span>}
                </span>
                {!isWide && <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" strokeWidth={1.75} />}
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Without a plan they are hidden but keep their space. */
function PortalLinks({ hasTeam }: { hasTeam: boolean }) {
  const { subscription } = useSubscription()
  return (
    <nav aria-label="Your portal" className={clsx('-mx-3 flex text-sm', !subscription.subscribed && 'invisible')}>
      {portalPages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className={clsx(
            'text-link inline-flex min-h-11 items-center px-3',
            // Keeps its space at the outer end of the row.
            to === assignmentsPage && clsx('order-first', !hasTeam && 'invisible'),
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

type AccountPage = {
  to: string
  label: string
  /** Shown where the list is a page of its own. */
  about: string
}

const teamPage = '/account/team'
const assignmentsPage = '/portal/assignments'

/** Names the specification's questions, unless the publisher asks others. */
const aboutPreferences =
  Object.keys(publication.questions).length === 0
    ? 'Focus areas, AI level, trade and goals'
    : 'Your answers, for the order you see'

const accountPages: readonly AccountPage[] = [
  { to: '/account/profile', label: 'Profile', about: 'Your email address and name' },
  ...(hasTab(publication, 'prompt-packs')
    ? [{ to: '/account/business', label: 'Business', about: 'Your stores, and what fills in prompts' }]
    : []),
  { to: '/account/preferences', label: 'Preferences', about: aboutPreferences },
  { to: '/account/email', label: 'Email', about: 'What we send you, your feed and podcast, and notifications' },
  { to: '/account/security', label: 'Security', about: 'Password, passkeys and devices' },
  { to: '/account/assistants', label: 'Assistants', about: 'AI assistants that use your account' },
  { to: '/account/billing', label: 'Billing', about: 'Your plan, payments and receipts' },
  { to: '/account/data', label: 'Data', about: 'Download your data or delete your account' },
  // Last, because it appears once the team is loaded and must not move the others.
  { to: teamPage, label: 'Team', about: 'People, stores and open work' },
]

/** The member's own pages in the portal. */
const portalPages: readonly AccountPage[] = [
  { to: '/portal/saved', label: 'Saved', about: 'What you keep, and your collections' },
  { to: '/portal/value', label: 'Your year', about: 'What you tried, and the time it saved' },
  ...(hasPage(publication, 'deadlines')
    ? [{ to: '/portal/deadlines', label: 'Deadlines', about: 'Dates you can’t miss, with reminders' }]
    : []),
  // For teams only.
  { to: assignmentsPage, label: 'Assignments', about: 'What your team asks you to try' },
]
