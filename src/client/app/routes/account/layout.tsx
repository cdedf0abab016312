import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { MembersFrame } from '../../layouts/members-layout.tsx'
import { pageTab, pageTabs, pageTabsNav } from '../../layouts/page-tab-styles.ts'
import { useScrollToActiveTab } from '../../layouts/use-scroll-to-active-tab.ts'

const teamPage = '/account/team'
const assignmentsPage = '/portal/assignments'

/** The member's own pages in the portal. */
const portalPages = [
  { to: '/portal/saved', label: 'Saved' },
  { to: '/portal/value', label: 'Your year' },
  // For teams only.
  { to: assignmentsPage, label: 'Assignments' },
] as const

/** The account pages, in tab order. */
const pages = [
  { to: '/account/profile', label: 'Profile' },
  { to: '/account/business', label: 'Business' },
  { to: '/account/preferences', label: 'Preferences' },
  { to: '/account/email', label: 'Email' },
  { to: '/account/security', label: 'Security' },
  { to: '/account/billing', label: 'Billing' },
  { to: '/account/data', label: 'Data' },
  // Last, because the tab appears once the team is loaded and must not move the others.
  { to: teamPage, label: 'Team' },
] as const

export function Component() {
  // The tab is shown to owners and members. Everyone else can open the page by URL and learns how to start a team.
  const { data: team } = useQuery(teamQuery)
  const { pathname } = useLocation()
  const hasTeam = Boolean(team?.owned || team?.membership) || pathname === teamPage
  const list = useScrollToActiveTab()
  return (
    <MembersFrame>
      <PageHeading title="Account" aside={<PortalLinks hasTeam={hasTeam} />} />
      <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-16">
        <nav
          ref={list}
          aria-label="Account pages"
          className={clsx(pageTabsNav, 'lg:mx-0 lg:overflow-visible lg:px-0 lg:pt-8')}
        >
          <ul
            className={clsx(
              pageTabs,
              'lg:sticky lg:top-8 lg:w-auto lg:flex-col lg:border-0 lg:[&>li:first-child]:ml-0',
            )}
          >
            {pages
              .filter(({ to }) => to !== teamPage || hasTeam)
              .map(({ to, label }) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    className={({ isActive }) =>
                      clsx(pageTab(isActive), 'lg:border-b lg:border-line lg:px-0 lg:after:inset-x-0')
                    }
                  >
                    {label}
                  </NavLink>
                </li>
              ))}
          </ul>
        </nav>
        <div className="py-8">
          <Outlet />
        </div>
      </div>
    </MembersFrame>
  )
}

/** Pages that a phone's header has no room for. Without a plan they are hidden but keep their space. */
function PortalLinks({ hasTeam }: { hasTeam: boolean }) {
  const { subscription } = useSubscription()
  return (
    <nav
      aria-label="Your portal"
      className={clsx('-mx-3 flex flex-wrap text-sm', !subscription.subscribed && 'invisible')}
    >
      {portalPages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className={clsx(
            'text-link inline-flex min-h-11 items-center px-3',
            // Keeps its space at the outer end of the row: on the left where the row is on the right.
            to === assignmentsPage && clsx('sm:order-first', !hasTeam && 'invisible'),
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
