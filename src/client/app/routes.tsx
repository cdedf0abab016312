import type { ComponentType } from 'react'
import { Navigate, type PatchRoutesOnNavigationFunction, type RouteObject } from 'react-router'
import { loadFonts } from '#client/lib/load-fonts.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { publication } from '#client/lib/publication.ts'
import { type BuiltInPage, hasPage } from '#shared/domain/built-in-pages.ts'
import { ErrorPage } from './error-page.tsx'
import { SiteLayout } from './layouts/site-layout.tsx'
import { lazyPage } from './lazy-page.ts'
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
const shown = (page: BuiltInPage, route: RouteObject) => (hasPage(publication, page) ? [route] : [])

export const loadLandingPage = () => import('./routes/landing.tsx')

/**
 * All pages are lazy, except a pre-rendered landing page, which is passed in. `handle.title` becomes the document title,
 * which screen readers announce.
 */
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
          {
            path: '/billing/return',
            handle: { title: 'Your plan' },
            lazy: lazyPage(() => import('./routes/billing-return.tsx')),
          },
          { path: '/offer/:code', handle: { title: 'Offer' }, lazy: lazyPage(() => import('./routes/offer.tsx')) },
          { path: '*', handle: { title: 'Page not found' }, lazy: lazyPage(() => import('./routes/not-found.tsx')) },
        ],
      },
      { path: '/auth', handle: { title: 'Sign in' }, lazy: lazyPage(() => import('./routes/auth.tsx')) },
      {
        path: '/auth/forgot',
        handle: { title: 'Forgot your password?' },
        lazy: lazyPage(() => import('./routes/auth-forgot.tsx')),
      },
      {
        path: '/auth/mail',
        handle: { title: 'Sign in by email' },
        lazy: lazyPage(() => import('./routes/auth-email-sign-in.tsx')),
      },
      {
        path: '/auth/confirm',
        handle: { title: 'Confirm your email' },
        lazy: lazyPage(() => import('./routes/auth-confirm.tsx')),
      },
      { path: '/auth/link', handle: { title: 'Link' }, lazy: lazyPage(() => import('./routes/auth-link-failed.tsx')) },
      {
        path: '/auth/second-step',
        handle: { title: 'Two-step verification' },
        lazy: lazyPage(() => import('./routes/auth-second-step.tsx')),
      },
      {
        path: '/reset-password',
        handle: { title: 'Choose a new password' },
        lazy: lazyPage(() => import('./routes/reset-password.tsx')),
      },
      {
        path: '/unsubscribe',
        handle: { title: 'Unsubscribe' },
        lazy: lazyPage(() => import('./routes/unsubscribe.tsx')),
      },
      {
        path: '/staff/join',
        handle: { title: 'Join the staff' },
        lazy: lazyPage(() => import('./routes/staff-join.tsx')),
      },
      { path: '/gift/:page?', handle: { title: 'Gift' }, lazy: lazyPage(() => import('./routes/gift.tsx')) },
      { path: '/team/join', handle: { title: 'Join a team' }, lazy: lazyPage(() => import('./routes/team-join.tsx')) },
      {
        // Visitors may read these too.
        lazy: lazyPage(() => import('./layouts/open-layout.tsx')),
        children: [
          ...shown('method', {
            path: '/portal/method',
            handle: { title: 'How we choose' },
            lazy: lazyPage(() => import('./routes/portal/method.tsx')),
          }),
          ...shown('safety', {
            path: '/portal/safety',
            handle: { title: 'Safety rules' },
            lazy: lazyPage(() => import('./routes/portal/safety.tsx')),
          }),
          {
            path: '/portal/assistants',
            handle: { title: 'Connect an assistant' },
            lazy: lazyPage(() => import('./routes/portal/assistants.tsx')),
          },
          ...shown('editor', {
            path: '/portal/editor',
            handle: { title: 'The editor' },
            lazy: lazyPage(() => import('./routes/portal/editor.tsx')),
          }),
          ...shown('corrections', {
            path: '/portal/corrections',
            handle: { title: 'Corrections' },
            lazy: lazyPage(() => import('./routes/portal/corrections.tsx')),
          }),
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
                  {
                    path: 'weekly-drops',
                    handle: { title: publication.tabTitles['weekly-drops'] },
                    lazy: lazyPage(() => import('./routes/portal/weekly-drops.tsx')),
                  },
                  {
                    path: 'weekly-drops/:slug',
                    handle: { title: ownWords`Weekly Drop` },
                    lazy: lazyPage(() => import('./routes/portal/weekly-drop.tsx')),
                  },
                  {
                    path: 'prompt-packs',
                    handle: { title: publication.tabTitles['prompt-packs'] },
                    lazy: lazyPage(() => import('./routes/portal/prompt-packs.tsx')),
                  },
                  {
                    path: 'guides',
                    handle: { title: publication.tabTitles.guides },
                    lazy: lazyPage(() => import('./routes/portal/guides.tsx')),
                  },
                  {
                    path: 'tools',
                    handle: { title: publication.tabTitles.tools },
                    lazy: lazyPage(() => import('./routes/portal/tools.tsx')),
                  },
                  {
                    path: 'search',
                    handle: { title: 'Search' },
                    lazy: lazyPage(() => import('./routes/portal/search.tsx')),
                  },
                  {
                    path: 'archive',
                    handle: { title: 'Archive' },
                    lazy: lazyPage(() => import('./routes/portal/archive.tsx')),
                  },
                  {
                    path: 'saved',
                    handle: { title: 'Saved' },
                    lazy: lazyPage(() => import('./routes/portal/saved.tsx')),
                  },
                  {
                    path: 'assignments',
                    handle: { title: 'Assignments' },
                    lazy: lazyPage(() => import('./routes/portal/assignments.tsx')),
                  },
                  ...shown('start-here', {
                    path: 'start-here',
                    handle: { title: 'Start here' },
                    lazy: lazyPage(() => import('./routes/portal/start-here.tsx')),
                  }),
                  ...shown('glossary', {
                    path: 'glossary',
                    handle: { title: 'Glossary' },
                    lazy: lazyPage(() => import('./routes/portal/glossary.tsx')),
                  }),
                  {
                    path: 'pages/:path',
                    lazy: lazyPage(() => import('./routes/portal/site-page.tsx')),
                  },
                  {
                    path: 'tried',
                    handle: { title: 'Did it work?' },
                    lazy: lazyPage(() => import('./routes/portal/tried.tsx')),
                  },
                  {
                    path: 'value',
                    handle: { title: 'Your year' },
                    lazy: lazyPage(() => import('./routes/portal/value.tsx')),
                  },
                ],
              },
            ],
          },
          {
            path: '/oauth/consent',
            handle: { title: 'Connect an assistant' },
            lazy: lazyPage(() => import('./routes/oauth-consent.tsx')),
          },
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
              {
                path: 'profile',
                handle: { title: 'Profile' },
                lazy: lazyPage(() => import('./routes/account/profile.tsx')),
              },
              {
                path: 'business',
                handle: { title: 'Business' },
                lazy: lazyPage(() => import('./routes/account/business.tsx')),
              },
              {
                path: 'preferences',
                handle: { title: 'Preferences' },
                lazy: lazyPage(() => import('./routes/account/preferences.tsx')),
              },
              { path: 'email', handle: { title: 'Email' }, lazy: lazyPage(() => import('./routes/account/email.tsx')) },
              // Emails of earlier versions link to it.
              { path: 'mail', element: <Navigate to="/account/email" replace /> },
              {
                path: 'security',
                handle: { title: 'Security' },
                lazy: lazyPage(() => import('./routes/account/security.tsx')),
              },
              {
                path: 'assistants',
                handle: { title: 'Assistants' },
                lazy: lazyPage(() => import('./routes/account/assistants.tsx')),
              },
              {
                path: 'billing',
                handle: { title: 'Billing' },
                lazy: lazyPage(() => import('./routes/account/billing.tsx')),
              },
              { path: 'team', handle: { title: 'Team' }, lazy: lazyPage(() => import('./routes/account/team.tsx')) },
              {
                path: 'data',
                handle: { title: 'Your data' },
                lazy: lazyPage(() => import('./routes/account/data.tsx')),
              },
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
