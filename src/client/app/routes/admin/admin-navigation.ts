import { ClipboardList, HandCoins, type LucideIcon, Mail, Newspaper, Settings2, Users } from 'lucide-react'
import { ownWords } from '#client/lib/publication.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'

/** Hidden from roles that aren't listed. The server checks the roles of each call; these only hide links. */
type AdminPage = { to: string; label: string; roles: readonly StaffRole[] }

export type AdminSection = AdminPage & {
  icon: LucideIcon
  /** Pages of the second level, including the section's first. Detail pages belong to the page above them. */
  pages: readonly AdminPage[]
}

const everyone: readonly StaffRole[] = ['owner', 'editor', 'support', 'viewer']
const owner: readonly StaffRole[] = ['owner']
const writers: readonly StaffRole[] = ['owner', 'editor']
const ownerOrViewer: readonly StaffRole[] = ['owner', 'viewer']
const memberSupport: readonly StaffRole[] = ['owner', 'support']

/** The admin's sections and their pages, in the order of the navigation. Their routes are in admin-routes.tsx. */
export const adminSections: readonly AdminSection[] = [
  { to: '/admin', label: 'Overview', icon: ClipboardList, roles: everyone, pages: [] },
  {
    to: '/admin/members',
    label: 'Members',
    icon: Users,
    roles: memberSupport,
    pages: [{ to: '/admin/members', label: 'All members', roles: memberSupport }],
  },
  {
    to: '/admin/content',
    label: 'Content',
    icon: Newspaper,
    roles: writers,
    pages: [
      { to: '/admin/content/drops', label: ownWords`Weekly drops`, roles: writers },
      { to: '/admin/content/calendar', label: 'Calendar', roles: writers },
      { to: '/admin/content/prompt-packs', label: 'Prompt packs', roles: writers },
      { to: '/admin/content/guides', label: 'Guides', roles: writers },
      { to: '/admin/content/tools', label: 'Tools', roles: writers },
      { to: '/admin/content/blocks', label: 'Blocks', roles: writers },
      { to: '/admin/content/images', label: 'Images', roles: writers },
      { to: '/admin/content/answers', label: 'Answers', roles: writers },
      { to: '/admin/tried', label: 'What readers say', roles: writers },
      { to: '/admin/content/import', label: 'Import posts', roles: writers },
    ],
  },
  {
    to: '/admin/newsletter',
    label: 'Newsletter',
    icon: Mail,
    roles: ['owner', 'editor', 'support'],
    pages: [
      { to: '/admin/newsletter', label: 'Mailings', roles: writers },
      { to: '/admin/newsletter/series', label: 'Series', roles: writers },
      { to: '/admin/newsletter/newsletters', label: 'Newsletters', roles: writers },
      { to: '/admin/newsletter/segments', label: 'Segments', roles: writers },
      { to: '/admin/newsletter/deliverability', label: 'Deliverability', roles: memberSupport },
      { to: '/admin/newsletter/settings', label: 'Sending', roles: owner },
    ],
  },
  {
    to: '/admin/money',
    label: 'Money',
    icon: HandCoins,
    roles: ownerOrViewer,
    pages: [
      { to: '/admin/money', label: 'Revenue', roles: ownerOrViewer },
      { to: '/admin/money/retention', label: 'Retention', roles: ownerOrViewer },
      { to: '/admin/money/cancellations', label: 'Cancellations', roles: owner },
      { to: '/admin/money/sources', label: 'Sources', roles: ownerOrViewer },
      { to: '/admin/money/plans', label: 'Plans', roles: ownerOrViewer },
      { to: '/admin/money/offers', label: 'Offers', roles: ownerOrViewer },
      { to: '/admin/money/gifts', label: 'Gifts', roles: ownerOrViewer },
      { to: '/admin/money/referrals', label: 'Referrals', roles: ownerOrViewer },
    ],
  },
  {
    to: '/admin/settings',
    label: 'Settings',
    icon: Settings2,
    roles: writers,
    pages: [
      { to: '/admin/settings/publication', label: 'Publication', roles: owner },
      { to: '/admin/settings/design', label: 'Design', roles: owner },
      { to: '/admin/settings/pages', label: 'Pages', roles: writers },
      { to: '/admin/settings/navigation', label: 'Navigation', roles: owner },
      { to: '/admin/settings/legal', label: 'Legal', roles: owner },
      { to: '/admin/settings/fields', label: 'Fields', roles: owner },
      { to: '/admin/settings/emails', label: 'Emails', roles: owner },
      { to: '/admin/settings/start', label: 'Getting started', roles: owner },
      { to: '/admin/settings/status', label: 'Status', roles: writers },
      { to: '/admin/settings/staff', label: 'Staff', roles: owner },
      { to: '/admin/settings/log', label: 'Staff log', roles: owner },
      { to: '/admin/settings/api', label: 'API', roles: owner },
      { to: '/admin/settings/import', label: 'Import', roles: owner },
      { to: '/admin/settings/export', label: 'Export', roles: owner },
      { to: '/admin/settings/backups', label: 'Backups', roles: owner },
    ],
  },
]

/** Detail pages with other roles than the page they belong to: the deliveries of a mailing and the lists of a series show members. */
const detailRoles: readonly { path: RegExp; roles: readonly StaffRole[] }[] = [
  { path: /^\/admin\/newsletter\/[^/]+\/deliveries$/, roles: memberSupport },
  { path: /^\/admin\/newsletter\/series\/[^/]+\/members$/, roles: memberSupport },
]

/** The sections and pages of a role. A section opens with the first page that the role may use. */
export const sectionsFor = (role: StaffRole): AdminSection[] =>
  adminSections
    .filter(({ roles }) => roles.includes(role))
    .map((section) => {
      const pages = section.pages.filter(({ roles }) => roles.includes(role))
      const isFirstHidden = section.pages.length > 0 && pages[0] !== section.pages[0]
      return { ...section, pages, to: isFirstHidden ? (pages[0]?.to ?? section.to) : section.to }
    })

const isBelow = (pathname: string, to: string) => pathname === to || pathname.startsWith(`${to}/`)

/** The page of a path, or the page that a detail page belongs to: the longest address that the path starts with. */
export function findAdminPage(pathname: string): { section: AdminSection; page: AdminPage } | null {
  const found = adminSections
    .flatMap((section) => [section, ...section.pages].map((page) => ({ section, page })))
    .filter(({ page }) => (page.to === '/admin' ? pathname === page.to : isBelow(pathname, page.to)))
  // If a section and its page have the same address, choose the page.
  const best = found.toSorted(
    (one, other) => other.page.to.length - one.page.to.length || (one.page === one.section ? 1 : -1),
  )[0]
  const roles = detailRoles.find(({ path }) => path.test(pathname))?.roles
  return best ? (roles ? { ...best, page: { ...best.page, roles } } : best) : null
}
