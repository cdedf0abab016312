import { useQuery } from '@tanstack/react-query'
import { CircleUserRound, MailWarning } from 'lucide-react'
import { useCallback } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { sendingSettingsQuery } from '#client/features/publishing/mailings/settings.api.ts'
import { publication } from '#client/lib/publication.ts'
import { Banner } from '#client/ui/banner.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { iconButtonStyles } from '#client/ui/icon-button.tsx'
import { CanOpenPage, PageLink } from '#client/ui/page-link.tsx'
import { ThemeSwitch } from '#client/ui/theme-switch.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import { ConnectionNotice } from '../../connection-notice.tsx'
import { HeaderBrand } from '../../layouts/header-brand.tsx'
import { SignOutButton } from '../../layouts/sign-out-button.tsx'
import { AdminNav, SectionTabs } from './admin-nav.tsx'
import { findAdminPage, sectionsFor } from './admin-navigation.ts'
import { useRoleChanges } from './use-role-changes.ts'

const staleMs = 5 * 60_000

/** Wider than the portal: lists and figures beside the navigation. */
const wide = 'mx-auto w-full max-w-[88rem] px-(--gutter)'

/** The frame of every admin page. */
export function Component() {
  const settings = useQuery({ ...sendingSettingsQuery, staleTime: staleMs })
  const { role } = useStaffRole()
  useRoleChanges()
  const { pathname } = useLocation()
  const sections = role ? sectionsFor(role) : []
  const current = findAdminPage(pathname)
  const isAllowed = role !== null && (current === null || current.page.roles.includes(role))
  const canOpen = useCallback(
    (path: string) => role !== null && findAdminPage(path)?.page.roles.includes(role) === true,
    [role],
  )
  return (
    <div className="flex min-h-dvh flex-col pb-(--bottom-bar) print:block print:pb-0">
      <header className="@container relative border-b border-line print:hidden">
        <div className={`${wide} flex min-h-[64px] items-center gap-x-3 @max-[25rem]:gap-x-1 @max-[16rem]:flex-wrap`}>
          <HeaderBrand to="/admin" destination="admin overview" />
          <AdminHeaderNav />
        </div>
      </header>
      <div className="grow lg:mx-auto lg:grid lg:w-full lg:max-w-[88rem] lg:grid-cols-[11.5rem_minmax(0,1fr)] lg:gap-x-12 lg:px-(--gutter)">
        <AdminNav sections={sections} current={current} />
        <main id="main" tabIndex={-1} className="min-h-dvh min-w-0 px-(--gutter) lg:px-0 print:min-h-0">
          <PublicationTimeZone value={settings.data?.timeZone ?? (settings.isError ? 'UTC' : null)}>
            <SectionTabs sections={sections} current={current} />
            {isAllowed ? (
              <CanOpenPage value={canOpen}>
                {settings.data?.isOnHold && pathname !== backupsPath && <HoldBanner />}
                <Outlet />
              </CanOpenPage>
            ) : (
              <EmptyState title="This page isn’t part of your role" level={1}>
                Ask an owner of the publication if you need it.
              </EmptyState>
            )}
          </PublicationTimeZone>
        </main>
      </div>
      <footer className="mt-20 border-t border-line print:hidden">
        <div className={`${wide} flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-6 text-sm text-muted`}>
          <p>
            {publication.footer} {publication.name}. {publication.tagline}.
          </p>
          <ThemeSwitch />
        </div>
      </footer>
      <ConnectionNotice />
    </div>
  )
}

const backupsPath = '/admin/settings/backups'

/** On every page, since mailings, drops, follow-ups, billing emails and webhooks all wait. The backups page has the details. */
function HoldBanner() {
  return (
    <Banner icon={MailWarning} className="mt-6" title="Automatic email is on hold">
      <p className="max-w-[70ch]">
        This site was restored from a copy. Until an owner turns automatic email on under{' '}
        <PageLink to={backupsPath}>Settings &gt; Backups</PageLink>, mailings wait, also those you send now, and
        follow-ups, billing emails and webhooks aren’t sent.
      </p>
    </Banner>
  )
}

/** Go to Portal is for subscribers; the portal turns everyone else away. */
function AdminHeaderNav() {
  const { subscription } = useSubscription()
  return (
    <nav
      aria-label="Account"
      className="-mr-3 flex grow flex-wrap items-center justify-end py-1 @max-[16rem]:mr-0 @max-[25rem]:-mr-1.5 @max-[25rem]:[&>:not([title])]:px-1.5"
    >
      {subscription.subscribed && (
        <ButtonLink to="/portal" variant="quiet" size="sm">
          {publication.labels.goToPortal}
        </ButtonLink>
      )}
      <Link to="/account" aria-label="Account" title="Account" className={iconButtonStyles}>
        <CircleUserRound aria-hidden className="size-5" strokeWidth={1.75} />
      </Link>
      <SignOutButton />
    </nav>
  )
}
