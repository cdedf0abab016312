import { Navigate, type RouteObject, useLocation, useParams } from 'react-router'
import { page } from '#client/app/lazy-page.ts'

/** Redirects a former address to `to`, followed by its id, query and fragment. */
function MovedPage({ to }: { to: string }) {
  const { id } = useParams()
  const { search, hash } = useLocation()
  return <Navigate to={{ pathname: id ? `${to}/${encodeURIComponent(id)}` : to, search, hash }} replace />
}

/** The admin's pages below `/admin`, except the overview. Their links are listed in admin-navigation.ts. */
export const adminRoutes: RouteObject[] = [
  page('members', 'Members', () => import('./members.tsx')),
  page('members/:id', 'Member', () => import('./member.tsx')),
  { path: 'content', element: <Navigate to="/admin/content/drops" replace /> },
  page('content/import', 'Import posts', () => import('./import-posts.tsx')),
  page('content/import/guide', 'What to export where', () => import('./export-guide.tsx')),
  page('content/calendar', 'Calendar', () => import('./content-calendar.tsx')),
  page('content/:shelf', 'Content', () => import('./content.tsx')),
  page('content/:shelf/:id', 'Content', () => import('./document.tsx')),
  page('content/drops/:id/email', 'Email preview', () => import('./drop-email.tsx')),
  page('content/answers', 'Answers', () => import('./answers.tsx')),
  page('tried', 'What readers say', () => import('./tried.tsx')),
  page('newsletter', 'Newsletter', () => import('./newsletter/mailings.tsx')),
  page('newsletter/series', 'Series', () => import('./newsletter/series-list.tsx')),
  page('newsletter/series/:id', 'Series', () => import('./newsletter/series.tsx')),
  page('newsletter/series/:id/members', 'Series', () => import('./newsletter/series-members.tsx')),
  page('newsletter/newsletters', 'Newsletters', () => import('./newsletter/newsletters.tsx')),
  page('newsletter/segments', 'Segments', () => import('./newsletter/segments.tsx')),
  page('newsletter/deliverability', 'Deliverability', () => import('./newsletter/deliverability.tsx')),
  page('newsletter/deliverability/feedback', 'Deliverability', () => import('./newsletter/feedback.tsx')),
  page('newsletter/settings', 'Sending', () => import('./newsletter/settings.tsx')),
  page('newsletter/:id', 'Mailing', () => import('./newsletter/mailing.tsx')),
  page('newsletter/:id/deliveries', 'Deliveries', () => import('./newsletter/deliveries.tsx')),
  page('money', 'Money', () => import('./money.tsx')),
  page('money/retention', 'Retention', () => import('./money-retention.tsx')),
  page('money/cancellations', 'Cancellations', () => import('./money-cancellations.tsx')),
  page('money/sources', 'Sources', () => import('./money-sources.tsx')),
  page('money/plans', 'Plans', () => import('./money-plans.tsx')),
  page('money/offers', 'Offers', () => import('./money-offers.tsx')),
  page('money/gifts', 'Gifts', () => import('./money-gifts.tsx')),
  page('money/referrals', 'Referrals', () => import('./money-referrals.tsx')),
  { path: 'settings', element: <Navigate to="/admin/settings/publication" replace /> },
  page('settings/publication', 'Publication', () => import('./settings/publication.tsx')),
  page('settings/design', 'Design', () => import('./settings/design.tsx')),
  page('settings/pages', 'Pages', () => import('./settings/pages.tsx')),
  page('settings/pages/:id', 'Page', () => import('./settings/site-page.tsx')),
  page('settings/navigation', 'Navigation', () => import('./settings/navigation.tsx')),
  page('settings/legal', 'Legal', () => import('./settings/legal.tsx')),
  page('settings/fields', 'Fields', () => import('./settings/fields.tsx')),
  page('settings/emails', 'Emails', () => import('./settings/emails.tsx')),
  page('settings/start', 'Getting started', () => import('./settings/start.tsx')),
  page('settings/status', 'Status', () => import('./settings/status.tsx')),
  page('settings/staff', 'Staff', () => import('./settings/staff.tsx')),
  page('settings/api', 'API and webhooks', () => import('./settings/api.tsx')),
  page('settings/log', 'Staff log', () => import('./settings/log.tsx')),
  page('settings/import', 'Import', () => import('./settings/import.tsx')),
  page('settings/backups', 'Backups', () => import('./settings/backups.tsx')),
  page('settings/export', 'Export', () => import('./settings/export.tsx')),
  // Emails and bookmarks of earlier versions.
  { path: 'users', element: <MovedPage to="/admin/members" /> },
  { path: 'users/:id', element: <MovedPage to="/admin/members" /> },
  { path: 'deliverability', element: <MovedPage to="/admin/newsletter/deliverability" /> },
  { path: 'security-log', element: <MovedPage to="/admin/settings/log" /> },
]
