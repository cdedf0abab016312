import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { GiftClaimPage } from '#client/features/billing/gifts/gift-claim.tsx'
import { GiftForm } from '#client/features/billing/gifts/gift-form.tsx'
import { GiftLinkPage } from '#client/features/billing/gifts/gift-link-page.tsx'
import { GiftStatusPage } from '#client/features/billing/gifts/gift-status.tsx'
import { LinkError, SignInOptions } from '#client/features/identity/auth/link-page-parts.tsx'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { acceptReferralCall, referralLinkCall } from '#shared/contracts/billing/referrals.ts'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import type { ReturnState } from '../sign-in-location-state.ts'

const home = { to: '/', label: 'Back to home' }

/** Buys a gift, shows the giver its state, or lets its recipient or the reader of a gift link claim it. Also shows a member's invitation. Tokens are in the fragment. */
export function Component() {
  const { page } = useParams()
  const { pathname, hash } = useLocation()
  const { status, user } = useSession()
  const pendingMfa = usePendingMfa()
  const token = new URLSearchParams(hash.slice(1)).get('gift')
  const state: ReturnState = { from: pathname + hash }
  if (status === 'loading') return <LoadingPage />
  if (page === 'status' && token) {
    return (
      <AuthFrame title="Your gift" back={home} wide>
        <GiftStatusPage token={token} />
      </AuthFrame>
    )
  }
  if ((page === 'claim' || page === 'link' || page === 'invite') && token) {
    if (user && pendingMfa === 'unknown') return <LoadingPage />
    if (user && pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={state} />
    return (
      <AuthFrame title={page === 'invite' ? 'An invitation' : 'A gift for you'} back={home}>
        {page === 'invite' ? (
          <InvitePage token={token} signInOptions={<SignInOptions state={state} />} />
        ) : page === 'link' ? (
          <GiftLinkPage token={token} signInOptions={<SignInOptions state={state} />} />
        ) : (
          <GiftClaimPage token={token} signInOptions={(email) => <SignInOptions state={{ ...state, email }} />} />
        )}
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Give a year" back={home} wide>
      <GiftForm />
    </AuthFrame>
  )
}

/** The page behind a member's link. Opening it accepts nothing; that takes a tap. */
function InvitePage({ token, signInOptions }: { token: string; signInOptions: ReactNode }) {
  const { user } = useSession()
  const query = useQuery(alwaysStaleQuery(['referral-link', token], referralLinkCall, { token }))
  const accept = useChange(acceptReferralCall)
  if (accept.isSuccess) {
    return (
      <div className="grid gap-8">
        <p role="status" className="text-lg">
          You’ve accepted the invitation. After your first payment, you both get a free month.
        </p>
        <ButtonLink to="/#pricing" block>
          View plans
        </ButtonLink>
      </div>
    )
  }
  if (!query.data) return query.error ? <LinkError query={query} /> : <Skeleton className="h-64" />
  return (
    <div className="grid gap-6">
      <p className="text-lg">
        A member invites you to {publication.name}, {publication.tagline}.
      </p>
      <p className="text-muted">
        If you become a member, you both get a free month after your first payment, as credit for the next renewals.
        It’s for new members with their own address, card, and device.
      </p>
      {user ? (
        <>
          <FormError>{accept.error ? errorMessage(accept.error) : null}</FormError>
          <Button block pending={accept.isPending} onClick={() => accept.mutate({ token })}>
            Accept the invitation
          </Button>
        </>
      ) : (
        signInOptions
      )}
    </div>
  )
}
