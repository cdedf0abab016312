import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import {
  Bookmark,
  BookOpen,
  CircleUserRound,
  FileText,
  type LucideIcon,
  Newspaper,
  Search,
  TextQuote,
  Wrench,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { useManage, useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { hasStarted } from '#client/features/billing/subscriptions/started-state.ts'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { isPasskeyOfferDue } from '#client/features/identity/passkeys/passkey-offer-state.ts'
import { importInBackground } from '#client/lib/background-import.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { measureBottomBar } from '#client/ui/bottom-bar.ts'
import { Button, ButtonLink, IconButton, iconButtonStyles } from '#client/ui/button.tsx'
import { ThemeSwitch } from '#client/ui/theme-switch.tsx'
import type { TeamView } from '#shared/contracts/billing/teams.ts'
import { ConnectionNotice } from '../connection-notice.tsx'
import { HeaderBrand } from './header-brand.tsx'
import { FooterLinks } from './page-links.tsx'
import { SignOutButton } from './sign-out-button.tsx'

const idleTimeoutMs = 10_000

/** The browser is idle, too, while it waits for the page's content on a slow line. */
const firstLoadMs = 2_000

const reportAfterMs = 1_000

/** Starts what entitled readers need offline, once the page is idle: nothing of it belongs to the first load. */
function useOfflineSupport(isEntitled: boolean) {
  useEffect(() => {
    if (!isEntitled) return
    let cancel = () => {}
    const timer = setTimeout(() => {
      cancel = whenIdle(start)
    }, firstLoadMs)
    return () => {
      clearTimeout(timer)
      cancel()
    }
  }, [isEntitled])
}

function start() {
  importInBackground(() => import('#client/lib/offline/start-offline-support.ts'))
    .then(({ startOfflineSupport }) => startOfflineSupport())
    // Later, because a page that is being left aborts its requests, which is no error.
    .catch((error: unknown) =>
      setTimeout(() => console.error('Reading offline could not be prepared', error), reportAfterMs),
    )
}

/** Returns a function that cancels. Safari has no idle callbacks. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, idleTimeoutMs / 2)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(handle)
}

const ConfirmEmailBanner = lazy(() => import('#client/features/identity/auth/confirm-email-banner.tsx'))
const PasskeyOffer = lazy(() => import('#client/features/identity/passkeys/passkey-offer.tsx'))
const AccountDot = lazy(() => import('#client/features/reader/assignments/account-dot.tsx'))
const PlanStarted = lazy(() => import('#client/features/billing/subscriptions/plan-started.tsx'))
const MembersLosingAccessDialog = lazy(() => import('#client/features/billing/teams/members-losing-access-dialog.tsx'))

/** Wraps every page for signed-in users. Without a subscription, portal links are hidden. */
export function MembersFrame({ children }: { children: ReactNode }) {
  const { status, subscription } = useSubscription()
  const { pathname, state } = useLocation()
  const { user } = useSession()
  const member = status === 'unknown' || subscription.subscribed
  useOfflineSupport(subscription.subscribed)
  return (
    <div className="flex min-h-dvh flex-col pb-(--bottom-bar) print:block print:pb-0">
      <header className="masthead @container relative border-b border-line print:hidden">
        <div className="page flex min-h-[64px] items-center gap-x-3 @max-[25rem]:gap-x-1 @max-[21rem]:flex-wrap">
          <HeaderBrand
            to={member ? publication.navigation.home.href : '/'}
            destination={member ? publication.navigation.home.label : 'home'}
          />
          <MemberNav member={member} />
        </div>
      </header>
      {member ? <PortalTabs /> : <NoPlanStrip />}
      {user?.email && !user.email_confirmed_at && (
        <Suspense fallback={<div className="min-h-14 border-b border-line bg-sunken" />}>
          <ConfirmEmailBanner email={user.email} />
        </Suspense>
      )}
      <main id="main" tabIndex={-1} className="page min-h-dvh grow print:min-h-0">
        {hasStarted(state) && (
          <Suspense>
            <PlanStarted />
          </Suspense>
        )}
        {children}
      </main>
      <footer className="mt-20 border-t border-line print:hidden">
        <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8 text-sm text-muted">
          <FooterLinks links={publication.navigation.members} />
          <ThemeSwitch />
          <p className="basis-full">
            {publication.footer} {publication.name}. {publication.tagline}.
          </p>
        </div>
      </footer>
      <ConnectionNotice />
      {pathname.startsWith('/portal') && isPasskeyOfferDue() && (
        <Suspense>
          <PasskeyOffer />
        </Suspense>
      )}
    </div>
  )
}

function MemberNav({ member }: { member: boolean }) {
  const { role } = useStaffRole()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { subscription } = useSubscription()
  const showMembership = () => void navigate('/account/billing')
  const manage = useManage(showMembership)
  const [membersToWarnAbout, setMembersToWarnAbout] = useState<string[] | null>(null)

  /** Prefetched on hover, so that a click can decide at once whether to open Stripe's page in a new tab. */
  const prefetchTeam = async () => {
    const { teamQuery } = await import('#client/features/billing/teams/teams.api.ts')
    await queryClient.prefetchQuery(teamQuery)
  }
  const handleManage = async () => {
    // On a touch screen there is no hover before the click.
    if (!queryClient.getQueryData(['team'])) await prefetchTeam()
    const { membership, owned } = queryClient.getQueryData<TeamView>(['team']) ?? {}
    const isComplimentary = subscription.subscribed && subscription.product_id === null
    if (isComplimentary || (membership && !membership.ownPlan)) showMembership()
    else if (owned?.active && owned.members.length > 0) setMembersToWarnAbout(owned.members.map(({ email }) => email))
    else manage.mutate()
  }
  return (
    <nav
      aria-label="Account"
      className={clsx(
        'print:hidden -mr-3 flex grow flex-wrap py-1 @max-[21rem]:mr-0 items-center justify-end @max-[25rem]:-mr-1.5',
        // With the third button, one line on a phone is tight.
        role
          ? '@max-[25rem]:[&>:not([title])]:px-1 @max-[25rem]:[&>:not([title])]:text-xs'
          : '@max-[25rem]:[&>:not([title])]:px-1.5',
      )}
    >
      {role && (
        <ButtonLink to="/admin" variant="quiet" size="sm">
          Admin
        </ButtonLink>
      )}
      {member && (
        <Button
          variant="quiet"
          size="sm"
          pending={manage.isPending}
          onPointerEnter={() => void prefetchTeam()}
          onFocus={() => void prefetchTeam()}
          onClick={() => void handleManage()}
        >
          Manage
        </Button>
      )}
      {member && <SearchButton />}
      {/* On a phone it is in the bar at the bottom. */}
      {member && (
        <Link
          to="/portal/saved"
          aria-label="Saved"
          title="Saved"
          className={clsx(iconButtonStyles, '@max-[40rem]:hidden')}
        >
          <Bookmark aria-hidden className="size-5" strokeWidth={1.75} />
        </Link>
      )}
      <Link to="/account" aria-label="Account" title="Account" className={iconButtonStyles}>
        <CircleUserRound aria-hidden className="size-5" strokeWidth={1.75} />
      </Link>
      <Suspense>
        <AccountDot />
      </Suspense>
      <SignOutButton />
      {membersToWarnAbout && (
        <Suspense>
          <MembersLosingAccessDialog
            members={membersToWarnAbout}
            onContinue={() => manage.mutate()}
            onClose={() => setMembersToWarnAbout(null)}
          />
        </Suspense>
      )}
    </nav>
  )
}

export function Component() {
  return (
    <MembersFrame>
      <Outlet />
    </MembersFrame>
  )
}

const loadDialog = () => import('#client/features/library/search/search-dialog.tsx')
const SearchDialog = lazy(loadDialog)

/** Opens the search: by click, with "/" outside of text fields, and with Ctrl+K or ⌘K. */
function SearchButton() {
  const [isOpen, setIsOpen] = useState(false)
  /** Text typed since it was opened and before the dialog had loaded; null while it is closed. */
  const typedEarly = useRef<string | null>(null)
  const readTyped = useCallback(() => typedEarly.current ?? '', [])
  const open = () => {
    typedEarly.current ??= ''
    setIsOpen(true)
  }
  const close = () => {
    typedEarly.current = null
    setIsOpen(false)
  }

  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, target } = event
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      const isPlain = !metaKey && !ctrlKey && !altKey
      if (typedEarly.current !== null) {
        if (!isPlain || key.length !== 1) return
        typedEarly.current += key
      } else if (isPlain ? key === '/' && !isTextField(target) : key.toLowerCase() === 'k' && !altKey) {
        typedEarly.current = ''
        setIsOpen(true)
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [])

  return (
    <>
      <IconButton
        icon={Search}
        label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onClick={open}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog readTyped={readTyped} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const savedTab = { href: '/portal/saved', label: 'Saved' }

const icons: Readonly<Record<string, LucideIcon>> = {
  '/portal/weekly-drops': Newspaper,
  '/portal/prompt-packs': TextQuote,
  '/portal/guides': BookOpen,
  '/portal/tools': Wrench,
  '/portal/saved': Bookmark,
}

const bar =
  'tab-bar print:hidden fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:static sm:border-t-0 sm:border-b sm:bg-transparent sm:pb-0'

/** Tabs under the header; on a phone, a bar at the bottom of the screen. What is saved is in the header if it has room. */
function PortalTabs() {
  const { tabs } = publication.navigation
  return (
    <nav ref={measureBottomBar} aria-label="Portal" className={clsx(bar, '@container')}>
      <ul className="grid auto-cols-fr grid-flow-col @max-[15rem]:flex @max-[15rem]:justify-between @max-[15rem]:px-2 sm:mx-auto sm:flex sm:max-w-(--page-width) sm:flex-wrap sm:gap-x-8 sm:px-4 md:px-8">
        {[...tabs, savedTab].map(({ href, label }) => {
          const Icon = icons[href] ?? FileText
          return (
            <li
              key={href}
              className={clsx('min-w-0 @max-[15rem]:w-min', href === savedTab.href && '@min-[40rem]:hidden')}
            >
              <NavLink
                to={href}
                className={({ isActive }) =>
                  clsx(
                    'portal-tab',
                    isActive ? 'text-ink after:bg-accent sm:font-semibold' : 'text-muted hover:text-ink',
                  )
                }
              >
                {/* Hidden when text is enlarged, so that the bar stays low and all tabs fit. */}
                <Icon aria-hidden className="size-5 shrink-0 sm:size-4.5 @max-[15rem]:hidden" strokeWidth={1.75} />
                {label}
              </NavLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Replaces the tabs, at the same height, for users without a subscription. */
function NoPlanStrip() {
  return (
    <div ref={measureBottomBar} className={bar}>
      <p className="page flex min-h-[64px] flex-wrap items-center justify-between gap-x-4 text-sm text-muted sm:min-h-12">
        You need an active plan to open the portal.
        <Link to="/#pricing" className="text-link inline-flex min-h-11 items-center font-semibold whitespace-nowrap">
          {publication.labels.choosePlan}
        </Link>
      </p>
    </div>
  )
}
