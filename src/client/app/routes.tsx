import { Navigate, type RouteObject } from 'react-router'
import { ErrorPage } from './error-page.tsx'
import { AdminGuard, SessionGuard, SubscriberGuard } from './guards.tsx'
import { SiteLayout } from './layouts/site-layout.tsx'
import { LoadingPage } from './loading-page.tsx'
import { prefetchMember } from './prefetch.ts'
import { RootLayout } from './root-layout.tsx'
import { LandingPage } from './routes/landing.tsx'

/*
 * The landing page is eager because it is pre-rendered; everything else is code that its visitors need not load.
 * `handle.title` names the page in the browser's tab and to screen readers.
 */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: LoadingPage,
    children: [
      {
        Component: SiteLayout,
        children: [
          { path: '/', Component: LandingPage },
          {
            path: '/billing/return',
            handle: { title: 'Your plan' },
            lazy: () => import('./routes/billing-return.tsx'),
          },
          { path: '*', handle: { title: 'Page not found' }, lazy: () => import('./routes/not-found.tsx') },
        ],
      },
      { path: '/auth', handle: { title: 'Sign in' }, lazy: () => import('./routes/auth.tsx') },
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
                lazy: () => import('./layouts/members-layout.tsx'),
                children: [
                  { index: true, element: <Navigate to="/portal/weekly-drops" replace /> },
                  {
                    path: 'weekly-drops',
                    handle: { title: 'Weekly Drops' },
                    lazy: () => import('./routes/portal/weekly-drops.tsx'),
                  },
                  {
                    path: 'weekly-drops/:slug',
                    handle: { title: 'Weekly Drop' },
                    lazy: () => import('./routes/portal/weekly-drop.tsx'),
                  },
                  {
                    path: 'prompt-packs',
                    handle: { title: 'Prompt Packs' },
                    lazy: () => import('./routes/portal/prompt-packs.tsx'),
                  },
                  {
                    path: 'guides',
                    handle: { title: 'Guides and Templates' },
                    lazy: () => import('./routes/portal/guides.tsx'),
                  },
                  { path: 'tools', handle: { title: 'Tool Picks' }, lazy: () => import('./routes/portal/tools.tsx') },
                ],
              },
            ],
          },
          {
            path: '/admin',
            Component: AdminGuard,
            children: [{ index: true, handle: { title: 'Admin Dashboard' }, lazy: () => import('./routes/admin.tsx') }],
          },
          {
            path: '/account',
            handle: { title: 'Account' },
            lazy: () => import('./routes/account/layout.tsx'),
            children: [
              { index: true, element: <Navigate to="/account/preferences" replace /> },
              {
                path: 'preferences',
                handle: { title: 'Preferences' },
                lazy: () => import('./routes/account/preferences.tsx'),
              },
            ],
          },
        ],
      },
    ],
  },
]
