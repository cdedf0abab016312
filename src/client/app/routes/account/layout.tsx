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
        <nav aria-label="Account pages" className="-mx-4 overflow-x-auto px-4 py-4 lg:mx-0 lg:px-0 lg:py-8">
          <ul className="flex gap-1 lg:sticky lg:top-8 lg:flex-col">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  className={({ isActive }) =>
                    clsx(
                      'flex min-h-11 items-center rounded-md px-3 whitespace-nowrap -outline-offset-3 lg:-ml-3',
                      isActive ? 'bg-sunken font-semibold text-ink' : 'text-muted hover:text-ink',
                    )
                  }
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="max-w-3xl lg:py-8">
          <Outlet />
        </div>
      </div>
    </MembersFrame>
  )
}
