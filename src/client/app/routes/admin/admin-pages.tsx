import { clsx } from 'clsx'
import { NavLink } from 'react-router'
import { pageTab } from '../../layouts/page-tab.ts'
import { useCurrentInSight } from '../../layouts/use-current-in-sight.ts'

const pages = [
  { to: '/admin', label: 'Users' },
  { to: '/admin/content', label: 'Content' },
  { to: '/admin/newsletter', label: 'Newsletter' },
  { to: '/admin/deliverability', label: 'Deliverability' },
  { to: '/admin/security-log', label: 'Security log' },
] as const

/** Between the pages of the admin. */
export function AdminPages() {
  const list = useCurrentInSight()
  return (
    <nav ref={list} aria-label="Admin pages" className="overflow-x-auto border-b border-line">
      <ul className="flex gap-6 whitespace-nowrap">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === '/admin'}
              className={({ isActive }) => clsx(pageTab(isActive), 'justify-center')}
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
