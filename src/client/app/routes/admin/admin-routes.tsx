import { Navigate, type RouteObject, useLocation, useParams } from 'react-router'
import { lazyPage } from '#client/app/lazy-page.ts'

/** Redirects a former address to `to`, followed by its id, query and fragment. */
function MovedPage({ to }: { to: string }) {
  const { id } = useParams()
  const { search, hash } = useLocation()
  return <Navigate to={{ pathname: id ? `${to}/${encodeURIComponent(id)}` : to, search, hash }} replace />
}

/** The admin's pages below `/admin`, except the overview. Their links are listed in admin-navigation.ts. */
export const adminRoutes: RouteObject[] = [
  { path: 'members', handle: { title: 'Members' }, lazy: lazyPage(() => import('./members.tsx')) },
  { path: 'members/:id', handle: { title: 'Member' }, lazy: lazyPage(() => import('./member.tsx')) },
  { path: 'content', element: <Navigate to="/admin/content/drops" replace /> },
  { path: 'content/import', handle: { title: 'Import posts' }, lazy: lazyPage(() => import('./import-posts.tsx')) },
  { path: 'content/calendar', handle: { title: 'Calendar' }, lazy: lazyPage(() => import('./content-calendar.tsx')) },
  { path: 'content/:shelf', handle: { title: 'Content' }, lazy: lazyPage(() => import('./content.tsx')) },
  { path: 'content/:shelf/:id', handle: { title: 'Content' }, lazy: lazyPage(() => import('./document.tsx')) },
  {
    path: 'content/drops/:id/email',
    handle: { title: 'Email preview' },
    lazy: lazyPage(() => import('./drop-email.tsx')),
  },
  { path: 'tried', handle: { title: 'What readers say' }, lazy: lazyPage(() => import('./tried.tsx')) },
  { path: 'newsletter', handle: { title: 'Newsletter' }, lazy: lazyPage(() => import('./newsletter/mailings.tsx')) },
  {
    path: 'newsletter/series',
    handle: { title: 'Series' },
    lazy: lazyPage(() => import('./newsletter/series-list.tsx')),
  },
  {
    path: 'newsletter/series/:id',
    handle: { title: 'Series' },
    lazy: lazyPage(() => import('./newsletter/series.tsx')),
  },
  {
    path: 'newsletter/series/:id/members',
    handle: { title: 'Series' },
    lazy: lazyPage(() => import('./newsletter/series-members.tsx')),
  },
  {
    path: 'newsletter/newsletters',
    handle: { title: 'Newsletters' },
    lazy: lazyPage(() => import('./newsletter/newsletters.tsx')),
  },
  {
    path: 'newsletter/segments',
    handle: { title: 'Segments' },
    lazy: lazyPage(() => import('./newsletter/segments.tsx')),
  },
  {
    path: 'newsletter/deliverability',
    handle: { title: 'Deliverability' },
    lazy: lazyPage(() => import('./newsletter/deliverability.tsx')),
  },
  {
    path: 'newsletter/deliverability/feedback',
    handle: { title: 'Deliverability' },
    lazy: lazyPage(() => import('./newsletter/feedback.tsx')),
  },
  {
    path: 'newsletter/settings',
    handle: { title: 'Sending' },
    lazy: lazyPage(() => import('./newsletter/settings.tsx')),
  },
  { path: 'newsletter/:id', handle: { title: 'Mailing' }, lazy: lazyPage(() => import('./newsletter/mailing.tsx')) },
  {
    path: 'newsletter/:id/deliveries',
    handle: { title: 'Deliveries' },
    lazy: lazyPage(() => import('./newsletter/deliveries.tsx')),
  },
  { path: 'money', handle: { title: 'Money' }, lazy: lazyPage(() => import('./money.tsx')) },
  { path: 'money/retention', handle: { title: 'Retention' }, lazy: lazyPage(() => import('./money-retention.tsx')) },
  {
    path: 'money/cancellations',
    handle: { title: 'Cancellations' },
    lazy: lazyPage(() => import('./money-cancellations.tsx')),
  },
  { path: 'money/sources', handle: { title: 'Sources' }, lazy: lazyPage(() => import('./money-sources.tsx')) },
  { path: 'money/plans', handle: { title: 'Plans' }, lazy: lazyPage(() => import('./money-plans.tsx')) },
  { path: 'money/offers', handle: { title: 'Offers' }, lazy: lazyPage(() => import('./money-offers.tsx')) },
  { path: 'money/gifts', handle: { title: 'Gifts' }, lazy: lazyPage(() => import('./money-gifts.tsx')) },
  { path: 'money/referrals', handle: { title: 'Referrals' }, lazy: lazyPage(() => import('./money-referrals.tsx')) },
  { path: 'settings', element: <Navigate to="/admin/settings/publication" replace /> },
  {
    path: 'settings/publication',
    handle: { title: 'Publication' },
    lazy: lazyPage(() => import('./settings/publication.tsx')),
  },
  { path: 'settings/pages', handle: { title: 'Pages' }, lazy: lazyPage(() => import('./settings/pages.tsx')) },
  { path: 'settings/pages/:id', handle: { title: 'Page' }, lazy: lazyPage(() => import('./settings/site-page.tsx')) },
  {
    path: 'settings/navigation',
    handle: { title: 'Navigation' },
    lazy: lazyPage(() => import('./settings/navigation.tsx')),
  },
  { path: 'settings/fields', handle: { title: 'Fields' }, lazy: lazyPage(() => import('./settings/fields.tsx')) },
  { path: 'settings/emails', handle: { title: 'Emails' }, lazy: lazyPage(() => import('./settings/emails.tsx')) },
  {
    path: 'settings/start',
    handle: { title: 'Getting started' },
    lazy: lazyPage(() => import('./settings/start.tsx')),
  },
  { path: 'settings/status', handle: { title: 'Status' }, lazy: lazyPage(() => import('./settings/status.tsx')) },
  { path: 'settings/staff', handle: { title: 'Staff' }, lazy: lazyPage(() => import('./settings/staff.tsx')) },
  { path: 'settings/api', handle: { title: 'API and webhooks' }, lazy: lazyPage(() => import('./settings/api.tsx')) },
  { path: 'settings/log', handle: { title: 'Staff log' }, lazy: lazyPage(() => import('./settings/log.tsx')) },
  { path: 'settings/import', handle: { title: 'Import' }, lazy: lazyPage(() => import('./settings/import.tsx')) },
  { path: 'settings/backups', handle: { title: 'Backups' }, lazy: lazyPage(() => import('./settings/backups.tsx')) },
  { path: 'settings/export', handle: { title: 'Export' }, lazy: lazyPage(() => import('./settings/export.tsx')) },
  // Emails and bookmarks of earlier versions.
  { path: 'users', element: <MovedPage to="/admin/members" /> },
  { path: 'users/:id', element: <MovedPage to="/admin/members" /> },
  { path: 'deliverability', element: <MovedPage to="/admin/newsletter/deliverability" /> },
  { path: 'security-log', element: <MovedPage to="/admin/settings/log" /> },
]
