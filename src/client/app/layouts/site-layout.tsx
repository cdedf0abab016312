import { CircleUserRound } from 'lucide-react'
import { Link, Outlet } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { publication } from '#client/lib/publication.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { Button, ButtonLink, iconButtonStyles } from '#client/ui/button.tsx'
import { SiteFrame } from './site-frame.tsx'

export function SiteLayout() {
  return (
    <SiteFrame nav={<SiteNav />}>
      <Outlet />
    </SiteFrame>
  )
}

/** Sign In when signed out; Sign Out when signed in, with Go to Portal for subscribers. */
export function SiteNav() {
  const { status } = useSession()
  const { status: subscriptionStatus, subscription } = useSubscription()
  if (status === 'loading') return null
  if (status === 'signed-out') {
    return (
      <nav aria-label="Account" className="flex grow items-center justify-end self-stretch whitespace-nowrap">
        {/* Hidden while a stored session, which theme.js has found, is being read. */}
        <ButtonLink to="/auth" variant="secondary" size="sm" className="in-data-session:invisible">
          {publication.labels.signIn}
        </ButtonLink>
      </nav>
    )
  }
  return (
    <nav
      aria-label="Account"
      className="-mr-3 flex grow flex-wrap items-center justify-end gap-x-2 self-stretch py-1 whitespace-nowrap @max-[21rem]:mr-0"
    >
      {/* Placed before Sign Out, which keeps its position when the subscription loads. */}
      {subscription.subscribed && (
        <ButtonLink to="/portal" size="sm">
          {publication.labels.goToPortal}
        </ButtonLink>
      )}
      {/* Subscribers reach it from the portal. */}
      {subscriptionStatus === 'known' && !subscription.subscribed && (
        <Link to="/account" aria-label="Account" title="Account" className={iconButtonStyles}>
          <CircleUserRound aria-hidden className="size-5" strokeWidth={1.75} />
        </Link>
      )}
      <Button variant="quiet" size="sm" onClick={() => void signOut()}>
        Sign Out
      </Button>
    </nav>
  )
}
