import type { ComponentType } from 'react'
import { Navigate, type PatchRoutesOnNavigationFunction, type RouteObject } from 'react-router'
import { loadFonts } from '#client/lib/load-fonts.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { type BuiltInPage, hasPage } from '#shared/domain/built-in-pages.ts'
import { ErrorPage } from './error-page.tsx'
import { SiteLayout } from './layouts/site-layout.tsx'
import { lazyPage, page } from './lazy-page.ts'
import { LoadingPage } from './loading-page.tsx'
import { prefetchMember } from './prefetch-guard-queries.ts'
import { RootLayout } from './root-layout.tsx'
import { AdminGuard, SessionGuard, SubscriberGuard } from './route-guards.tsx'

const timeoutMs = 1_500

/**
 * Resolves once the fonts are loaded, but soon on a very slow line. They arrive after the scripts
 * (early/start-requests.ts), and would move text that is on the screen already.
 */
async function whenFontsReady(): Promise<null> {
  await Promise.race([loadFonts(), new Promise((resolve) => setTimeout(resolve, timeoutMs))])
  return null
}

const adminFrameId = 'admin'

/** The route of a page that the publisher may hide. */
const shown = (name: BuiltInPage, ...args: Parameters<typeof page>) =>
  hasPage(publication, name) ? [page(...args)] : []

export const loadLandingPage = () => import('./routes/landing.tsx')

/** All pages are lazy, except a pre-rendered landing page, which is passed in. */
export const createRoutes = (LandingPage: ComponentType | null = null): RouteObject[] => [
  {
    Component: RootLayout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: LoadingPage,
    ...(!LandingPage && { loader: whenFontsReady, shouldRevalidate: () => false }),
    children: [
      {
        Component: SiteLayout,
        children: [
          LandingPage
            ? { path: '/', Component: LandingPage }
            : { path: '/', lazy: lazyPage(async () => ({ Component: (await loadLandingPage()).LandingPage })) },
          page('/billing/return', 'Your plan', () => import('./routes/billing-return.tsx')),
          page('/offer/:code', 'Offer', () => import('./routes/offer.tsx')),
          page('/items/:kind/:id', 'Single item', () => import('./routes/item.tsx')),
          page('*', 'Page not found', () => import('./routes/not-found.tsx')),
        ],
      },
      page('/auth', 'Sign in', () => import('./routes/auth.tsx')),
      page('/auth/forgot', 'Forgot your password?', () => import('./routes/auth-forgot.tsx')),
      page('/auth/mail', 'Sign in by email', () => import('./routes/auth-email-sign-in.tsx')),
      page('/auth/confirm', 'Confirm your email', () => import('./routes/auth-confirm.tsx')),
      page('/auth/link', 'Link', () => import('./routes/auth-link-failed.tsx')),
      page('/auth/second-step', 'Two-step verification', () => import('./routes/auth-second-step.tsx')),
      page('/reset-password', 'Choose a new password', () => import('./routes/reset-password.tsx')),
      page('/unsubscribe', 'Unsubscribe', () => import('./routes/unsubscribe.tsx')),
      page('/staff/join', 'Join the staff', () => import('./routes/staff-join.tsx')),
      page('/gift/:page?', 'Gift', () => import('./routes/gift.tsx')),
      page('/team/join', 'Join a team', () => import('./routes/team-join.tsx')),
      {
        // Visitors may read these too.
        lazy: lazyPage(() => import('./layouts/open-layout.tsx')),
        children: [
          ...shown('method', '/portal/method', 'How we choose', () => import('./routes/portal/method.tsx')),
          ...shown('safety', '/portal/safety', 'Safety rules', () => import('./routes/portal/safety.tsx')),
          page('/portal/assistants', 'Connect an assistant', () => import('./routes/portal/assistants.tsx')),
          ...shown('editor', '/portal/editor', 'The editor', () => import('./routes/portal/editor.tsx')),
          ...shown(
            'corrections',
            '/portal/corrections',
            'Corrections',
            () => import('./routes/portal/corrections.tsx'),
          ),
        ],
      },
      {
        Component: SessionGuard,
        loader: prefetchMember,
        shouldRevalidate: () => false,
        children: [
          {
            path: '/portal',
            Component: SubscriberGuard,
            children: [
              {
                lazy: lazyPage(() => import('./layouts/members-layout.tsx')),
                children: [
                  { index: true, element: <Navigate to={publication.navigation.home.href} replace /> },
                  page(
                    'weekly-drops',
                    publication.tabTitles['weekly-drops'],
                    () => import('./routes/portal/weekly-drops.tsx'),
                  ),
                  page('weekly-drops/:slug', ownWords`Weekly Drop`, () => import('./routes/portal/weekly-drop.tsx')),
                  page(
                    'prompt-packs',
                    publication.tabTitles['prompt-packs'],
                    () => import('./routes/portal/prompt-packs.tsx'),
                  ),
                  page('guides', publication.tabTitles.guides, () => import('./routes/portal/guides.tsx')),
                  page('tools', publication.tabTitles.tools, () => import('./routes/portal/tools.tsx')),
                  page('search', 'Search', () => import('./routes/portal/search.tsx')),
                  page('archive', 'Archive', () => import('./routes/portal/archive.tsx')),
                  page('saved', 'Saved', () => import('./routes/portal/saved.tsx')),
                  page('assignments', 'Assignments', () => import('./routes/portal/assignments.tsx')),
                  ...shown('deadlines', 'deadlines', 'Deadlines', () => import('./routes/portal/deadlines.tsx')),
                  ...shown('start-here', 'start-here', 'Start here', () => import('./routes/portal/start-here.tsx')),
                  ...shown('glossary', 'glossary', 'Glossary', () => import('./routes/portal/glossary.tsx')),
                  {
                    path: 'pages/:path',
                    lazy: lazyPage(() => import('./routes/portal/site-page.tsx')),
                  },
                  page('tried', 'Did it work?', () => import('./routes/portal/tried.tsx')),
                  page('receipt', 'Receipt', () => import('./routes/portal/receipt.tsx')),
                  page('value', 'Your year', () => import('./routes/portal/value.tsx')),
                ],
              },
            ],
          },
          page('/talk/:issueId', 'Answers', () => import('./routes/talk.tsx')),
          page('/oauth/consent', 'Connect an assistant', () => import('./routes/oauth-consent.tsx')),
          { path: '/checkout/:plan', handle: { title: 'Checkout' }, lazy: () => import('./routes/checkout.tsx') },
          {
            path: '/admin',
            Component: AdminGuard,
            children: [
              {
                id: adminFrameId,
                lazy: lazyPage(() => import('./routes/admin/layout.tsx')),
                children: [
                  {
                    index: true,
                    handle: { title: 'Admin Dashboard' },
                    lazy: lazyPage(() => import('./routes/admin/overview.tsx')),
                  },
                ],
              },
            ],
          },
          {
            path: '/account',
            handle: { title: 'Account' },
            lazy: lazyPage(() => import('./routes/account/layout.tsx')),
            children: [
              page('profile', 'Profile', () => import('./routes/account/profile.tsx')),
              page('business', 'Business', () => import('./routes/account/business.tsx')),
              page('preferences', 'Preferences', () => import('./routes/account/preferences.tsx')),
              page('email', 'Email', () => import('./routes/account/email.tsx')),
              // Emails of earlier versions link to it.
              { path: 'mail', element: <Navigate to="/account/email" replace /> },
              page('security', 'Security', () => import('./routes/account/security.tsx')),
              page('assistants', 'Assistants', () => import('./routes/account/assistants.tsx')),
              page('billing', 'Billing', () => import('./routes/account/billing.tsx')),
              page('team', 'Team', () => import('./routes/account/team.tsx')),
              page('team/leaving', 'Someone leaves', () => import('./routes/account/leaving.tsx')),
              page('data', 'Your data', () => import('./routes/account/data.tsx')),
            ],
          },
        ],
      },
    ],
  },
]

const loadAdminRoutes = lazyPage(() => import('./routes/admin/admin-routes.tsx'))
let hasAdminRoutes = false

/** Adds the admin's routes below the overview when one is opened first: they are no part of what everyone loads. */
export const patchRoutes: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  if (hasAdminRoutes || !path.startsWith('/admin/')) return
  const { adminRoutes } = await loadAdminRoutes()
  patch(adminFrameId, adminRoutes)
  hasAdminRoutes = true
}
