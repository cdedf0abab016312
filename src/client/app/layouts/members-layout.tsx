import { useQueryClient } from '@tanstack/react-query'
import { CircleUserRound } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { ConfirmStrip } from '#client/features/auth/confirm-strip.tsx'
import { useIsAdmin } from '#client/features/auth/role.api.ts'
import { useManage, useSubscription } from '#client/features/billing/billing.api.ts'
import { hasStarted, PlanStarted } from '#client/features/billing/plan-started.tsx'
import { isOfferDue } from '#client/features/passkeys/offer.ts'
import { signOut } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { iconButtonStyles } from '#client/ui/icon-button.tsx'
import { SandboxBadge } from '#client/ui/sandbox-badge.tsx'
import { ThemeSwitch } from '#client/ui/theme-switch.tsx'
import { Wordmark } from '#client/ui/wordmark.tsx'
import type { TeamView } from '#shared/contracts/teams.ts'
import { publication } from '#shared/publication.ts'
import { ConnectionNotice } from '../connection-notice.tsx'
import { NoPlanStrip, PortalTabs } from './portal-tabs.tsx'

const PasskeyOffer = lazy(() => import('#client/features/passkeys/passkey-offer.tsx'))
const BeforePortalDialog = lazy(() => import('#client/features/teams/before-portal-dialog.tsx'))

/** Around every page for people who are signed in. Somebody without a subscription sees no way into the portal here. */
export function MembersFrame({ children }: { children: ReactNode }) {
  const { status, subscription } = useSubscription()
  const { pathname, state } = useLocation()
  const member = status === 'unknown' || subscription.subscribed
  return (
    <div className="flex min-h-dvh flex-col print:block print:pb-0 pb-[calc(4rem+env(safe-area-inset-bottom))] sm:pb-0">
      <header className="@container relative border-b border-line print:hidden">
        <div className="page flex min-h-[64px] items-center gap-x-3">
          {/* Beside the buttons a phone has room for the bell alone; the link keeps its name. */}
          <Link
            to={member ? '/portal/weekly-drops' : '/'}
            aria-label={`${publication.name}, ${member ? 'weekly drops' : 'home'}`}
            className="inline-flex min-h-[44px] min-w-[44px] items-center rounded-sm @max-[31rem]:[&_[data-name]]:hidden"
          >
            <Wordmark name={publication.name} />
          </Link>
          <span className="inline-flex @max-[25rem]:hanging-badge">
            <SandboxBadge />
          </span>
          <MemberNav member={member} />
        </div>
      </header>
      {member ? <PortalTabs /> : <NoPlanStrip />}
      <ConfirmStrip />
      <main id="main" tabIndex={-1} className="page min-h-dvh grow print:min-h-0">
        {hasStarted(state) && <PlanStarted />}
        {children}
      </main>
      <footer className="mt-20 border-t border-line print:hidden">
        <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8 text-sm text-muted">
          <p>
            {publication.footer} {publication.name}. {publication.tagline}.
          </p>
          <div className="print:hidden">
            <ThemeSwitch />
          </div>
        </div>
      </footer>
      <ConnectionNotice />
      {pathname.startsWith('/portal') && isOfferDue() && (
        <Suspense fallback={null}>
          <PasskeyOffer />
        </Suspense>
      )}
    </div>
  )
}

function MemberNav({ member }: { member: boolean }) {
  const { isAdmin } = useIsAdmin()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { subscription } = useSubscription()
  const showMembership = () => void navigate('/account/billing')
  const manage = useManage(showMembership)
  const [warned, setWarned] = useState<string[] | null>(null)

  /** Known in time for most clicks: without it a tab opens and closes again. */
  const askWhoPays = async () => {
    const { teamQuery } = await import('#client/features/teams/teams.api.ts')
    await queryClient.prefetchQuery(teamQuery)
  }
  const handleManage = async () => {
    // On a touch screen the click may come before the answer does.
    if (!queryClient.getQueryData(['team'])) await askWhoPays()
    const { membership, owned } = queryClient.getQueryData<TeamView>(['team']) ?? {}
    const isComplimentary = subscription.subscribed && subscription.product_id === null
    if (isComplimentary || (membership && !membership.ownPlan)) showMembership()
    else if (owned?.active && owned.members.length > 0) setWarned(owned.members.map(({ email }) => email))
    else manage.mutate()
  }
  return (
    <nav
      aria-label="Account"
      className="print:hidden -mr-3 flex grow flex-wrap py-1 @max-[16rem]:mr-0 items-center justify-end"
    >
      {isAdmin && (
        <ButtonLink to="/admin" variant="quiet" size="sm">
          Admin
        </ButtonLink>
      )}
      {member && (
        <Button
          variant="quiet"
          size="sm"
          pending={manage.isPending}
          onPointerEnter={() => void askWhoPays()}
          onFocus={() => void askWhoPays()}
          onClick={() => void handleManage()}
        >
          Manage
        </Button>
      )}
      <Link to="/account" aria-label="Account" title="Account" className={iconButtonStyles}>
        <CircleUserRound aria-hidden className="size-5" strokeWidth={1.75} />
      </Link>
      <Button variant="quiet" size="sm" onClick={() => void signOut()}>
        Sign Out
      </Button>
      {warned && (
        <Suspense fallback={null}>
          <BeforePortalDialog members={warned} onContinue={() => manage.mutate()} onClose={() => setWarned(null)} />
        </Suspense>
      )}
    </nav>
  )
}

/** The portal's layout route. */
export function Component() {
  return (
    <MembersFrame>
      <Outlet />
    </MembersFrame>
  )
}
