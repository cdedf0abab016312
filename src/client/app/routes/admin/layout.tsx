import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CircleUserRound, MailWarning } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { ConnectionNotice } from '#client/app/connection-notice.tsx'
import { HeaderBrand } from '#client/app/layouts/header-brand.tsx'
import { SignOutButton } from '#client/app/layouts/sign-out-button.tsx'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { staffRoleQuery, useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { sendingSettingsQuery } from '#client/features/publishing/mailings/settings.api.ts'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Banner } from '#client/ui/banner.tsx'
import { measureBottomBar } from '#client/ui/bottom-bar.ts'
import { ButtonLink, iconButtonStyles } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { CanOpenPage, PageLink } from '#client/ui/page-link.tsx'
import { ThemeSwitch } from '#client/ui/theme-switch.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import { staffRoleLabels } from '#shared/domain/staff-roles.ts'
import { type AdminSection, findAdminPage, sectionsFor } from './admin-navigation.ts'

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
        <div className={`${wide} flex min-h-[64px] items-center gap-x-3 @max-[25rem]:gap-x-1 @max-[21rem]:flex-wrap`}>
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
      className="-mr-3 flex grow flex-wrap items-center justify-end py-1 @max-[21rem]:mr-0 @max-[25rem]:-mr-1.5 @max-[25rem]:[&>:not([title])]:px-1.5"
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

const refused = new Set(['role_not_allowed', 'not_admin'])

/** Reads the role again when the server refuses a call, and says so if an owner has changed it meanwhile. */
function useRoleChanges() {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const { role } = useStaffRole()
  const userId = user?.id ?? ''
  useEffect(() => {
    const handle = (error: unknown) => {
      if (error instanceof CallError && refused.has(error.code)) {
        void queryClient.invalidateQueries({ queryKey: staffRoleQuery(userId).queryKey })
      }
    }
    const endings = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') handle(event.action.error)
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') handle(event.action.error)
      }),
    ]
    return () => {
      for (const end of endings) end()
    }
  }, [queryClient, userId])

  const known = useRef(role)
  useEffect(() => {
    if (role && known.current && role !== known.current) {
      const { name, can } = staffRoleLabels[role]
      toast.message(`Your role is now ${name}`, { id: 'role-changed', description: `${can}.` })
      // Data loaded with the former role may not be for this one.
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('admin') })
    }
    if (role) known.current = role
  }, [role, queryClient])
}

/** Wraps a row of page tabs; on a phone it spans the full width and scrolls. */
const pageTabsNav = '-mx-(--gutter) overflow-x-auto px-(--gutter)'

/** The underline is as wide as the tabs, visible or not; the first label aligns with the page's text. */
const pageTabs = 'flex w-max min-w-full border-b border-line [&>li:first-child]:-ml-3'

/** A tab link; the accent line marks the current page. */
const pageTab = (isActive: boolean) =>
  clsx(
    'relative flex min-h-11 items-center px-3 whitespace-nowrap -outline-offset-3',
    'after:absolute after:inset-x-3 after:-bottom-px after:h-0.75',
    isActive ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
  )

type CurrentPage = ReturnType<typeof findAdminPage>
type AdminNavProps = { sections: readonly AdminSection[]; current: CurrentPage }

/**
 * The admin's sections: a column on a desktop, with the pages of the current section; a row on a tablet; and a bar at
 * the bottom of a phone, where every section is one tap away.
 */
function AdminNav({ sections, current }: AdminNavProps) {
  return (
    <nav
      ref={measureBottomBar}
      aria-label="Admin pages"
      className={clsx(
        '@container fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] print:hidden',
        'sm:static sm:border-t-0 sm:border-b sm:bg-transparent sm:pb-0',
        'lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:border-b-0 lg:pt-12 lg:pb-8',
      )}
    >
      {/* Without icons in a column, and with enlarged text, which needs two rows. */}
      <ul className="grid grid-cols-6 @max-[22rem]:grid-cols-3 sm:flex sm:gap-6 sm:px-(--gutter) lg:block lg:px-0">
        {sections.map((section) => (
          <SectionEntry
            key={section.label}
            section={section}
            isCurrent={current?.section.label === section.label}
            current={current}
          />
        ))}
      </ul>
    </nav>
  )
}

type SectionEntryProps = { section: AdminSection; isCurrent: boolean; current: CurrentPage }

function SectionEntry({ section: { to, label, icon: Icon, pages }, isCurrent, current }: SectionEntryProps) {
  const { pathname } = useLocation()
  return (
    <li className="lg:border-b lg:border-line">
      <Link
        to={to}
        aria-current={isCurrent ? (pathname === to ? 'page' : 'true') : undefined}
        className={clsx(
          'relative flex min-h-[60px] flex-col items-center justify-center gap-1 text-center text-[0.6875rem] leading-tight font-medium -outline-offset-3 transition-colors @max-[22rem]:min-h-[44px]',
          'sm:min-h-12 sm:flex-row sm:gap-2 sm:text-sm lg:min-h-11 lg:justify-start lg:gap-2.5',
          'after:absolute after:inset-x-2 after:top-0 after:h-0.75 sm:after:inset-x-0 sm:after:top-auto sm:after:-bottom-px',
          isCurrent ? 'text-ink after:bg-accent sm:font-semibold' : 'text-muted hover:text-ink',
        )}
      >
        <Icon aria-hidden className="size-5 shrink-0 sm:size-4.5 @max-[22rem]:hidden" strokeWidth={1.75} />
        {label}
      </Link>
      {isCurrent && pages.length > 1 && (
        <nav aria-label={`${label} pages`} className="hidden py-2 lg:block">
          <ul>
            {pages.map((page) => (
              <li key={page.to}>
                <Link
                  to={page.to}
                  aria-current={current?.page.to === page.to ? 'page' : undefined}
                  className={clsx(
                    'flex min-h-9 items-center pl-3 text-sm -outline-offset-3',
                    current?.page.to === page.to ? 'font-semibold text-ink' : 'text-muted hover:text-ink',
                  )}
                >
                  {page.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </li>
  )
}

/** The pages of the current section on a phone or tablet. Detail pages have a link back instead. */
function SectionTabs({ sections, current }: AdminNavProps) {
  const list = useScrollToActiveTab()
  const { pathname } = useLocation()
  const section = sections.find(({ label }) => label === current?.section.label)
  if (!section || section.pages.length < 2 || pathname !== current?.page.to) return null
  return (
    <nav ref={list} aria-label={`${section.label} pages`} className={clsx(pageTabsNav, 'pt-2 lg:hidden print:hidden')}>
      <ul className={pageTabs}>
        {section.pages.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={pathname === to ? 'page' : undefined}
              className={clsx(pageTab(pathname === to), 'text-sm')}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Space in pixels that aligns the active tab's label with the page's text. */
const insetPx = 4

/** Browsers don't scroll to a link that is partly visible. Focus by touch doesn't scroll, or the tap would miss. */
function scrollToFocused({ target }: FocusEvent) {
  if (!(target instanceof Element) || !target.matches(':focus-visible')) return
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Keeps the active tab visible when the row of tabs is wider than the screen, also after the phone is rotated. */
function useScrollToActiveTab() {
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another active tab
  useEffect(() => {
    const nav = list.current
    const tab = nav?.querySelector<HTMLElement>('a[aria-current=page]')
    if (!nav || !tab) return
    const resizeObserver = new ResizeObserver(() => {
      nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - insetPx
    })
    resizeObserver.observe(nav)
    nav.addEventListener('focusin', scrollToFocused)
    return () => {
      resizeObserver.disconnect()
      nav.removeEventListener('focusin', scrollToFocused)
    }
  }, [pathname])
  return list
}
