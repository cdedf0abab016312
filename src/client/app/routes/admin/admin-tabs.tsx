import { NavLink } from 'react-router'
import { pageTab, pageTabs, pageTabsNav } from '../../layouts/page-tab-styles.ts'
import { useScrollToActiveTab } from '../../layouts/use-scroll-to-active-tab.ts'

const pages = [
  { to: '/admin', label: 'Users' },
  { to: '/admin/content', label: 'Content' },
  { to: '/admin/newsletter', label: 'Newsletter' },
  { to: '/admin/deliverability', label: 'Deliverability' },
  { to: '/admin/tried', label: 'Did it work?' },
  { to: '/admin/security-log', label: 'Audit log' },
] as const

/** Navigation between the admin pages. */
export function AdminTabs() {
  const list = useScrollToActiveTab()
  return (
    <nav ref={list} aria-label="Admin pages" className={pageTabsNav}>
      <ul className={pageTabs}>
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to} end={to === '/admin'} className={({ isActive }) => pageTab(isActive)}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
