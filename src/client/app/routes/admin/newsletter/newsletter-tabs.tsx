import { clsx } from 'clsx'
import { NavLink } from 'react-router'
import { pageTab, pageTabs, pageTabsNav } from '../../../layouts/page-tab-styles.ts'

const pages = [
  { to: '/admin/newsletter', label: 'Mailings' },
  { to: '/admin/newsletter/segments', label: 'Segments' },
  { to: '/admin/newsletter/settings', label: 'Settings' },
] as const

/** Tabs of the newsletter pages. */
export function NewsletterTabs() {
  return (
    <nav aria-label="Newsletter pages" className={pageTabsNav}>
      <ul className={pageTabs}>
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to} end className={({ isActive }) => clsx(pageTab(isActive), 'text-sm')}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
