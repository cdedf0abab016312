import { clsx } from 'clsx'
import { NavLink, Outlet } from 'react-router'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { MembersFrame } from '../../layouts/members-layout.tsx'

/** The pages of an account, in the order of the list beside them. */
const pages = [{ to: '/account/preferences', label: 'Preferences' }] as const

export function Component() {
  return (
    <MembersFrame>
      <PageHeading title="Account" />
      <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-16">
        <nav
          aria-label="Account pages"
          className="-mx-4 overflow-x-auto px-4 pt-2 lg:mx-0 lg:overflow-visible lg:px-0 lg:pt-8"
        >
          <ul className="flex gap-6 border-b border-line lg:sticky lg:top-8 lg:flex-col lg:gap-0 lg:border-0">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  className={({ isActive }) =>
                    clsx(
                      'relative flex min-h-11 items-center whitespace-nowrap -outline-offset-3 lg:border-b lg:border-line',
                      'after:absolute after:inset-x-0 after:-bottom-px after:h-0.75',
                      isActive ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
                    )
                  }
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="max-w-3xl py-8">
          <Outlet />
        </div>
      </div>
    </MembersFrame>
  )
}
