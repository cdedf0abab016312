import { Navigate, useLocation, useParams } from 'react-router'
import { GiftClaimPage } from '#client/features/billing/gifts/gift-claim.tsx'
import { GiftForm } from '#client/features/billing/gifts/gift-form.tsx'
import { GiftLinkPage } from '#client/features/billing/gifts/gift-link-page.tsx'
import { GiftStatusPage } from '#client/features/billing/gifts/gift-status.tsx'
import { InvitePage } from '#client/features/billing/referrals/invite-page.tsx'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { useSession } from '#client/lib/session.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
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

function SignInOptions({ state }: { state: ReturnState }) {
  return (
    <div className="grid gap-3">
      <ButtonLink to="/auth?mode=sign-up" state={state} block>
        Create an account
      </ButtonLink>
      <ButtonLink to="/auth" state={state} variant="secondary" block>
        Sign in
      </ButtonLink>
    </div>
  )
}
