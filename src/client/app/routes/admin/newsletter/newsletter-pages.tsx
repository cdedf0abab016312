import { clsx } from 'clsx'
import { NavLink } from 'react-router'
import { pageTab } from '../../../layouts/page-tab.ts'

const pages = [
  { to: '/admin/newsletter', label: 'Mailings' },
  { to: '/admin/newsletter/segments', label: 'Segments' },
  { to: '/admin/newsletter/settings', label: 'Settings' },
] as const

/** Between the pages of the newsletter. */
export function NewsletterPages() {
  return (
    <nav aria-label="Newsletter pages" className="border-b border-line">
      <ul className="flex gap-6">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to} end className={({ isActive }) => clsx(pageTab(isActive), 'justify-center text-sm')}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
