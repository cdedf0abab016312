import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LinkError } from '#client/features/identity/auth/link-page-parts.tsx'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { CallError, errorMessage } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { publication } from '#client/lib/publication.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import {
  type ClaimedGift,
  claimGiftCall,
  type ReceivedGift,
  receivedGiftCall,
} from '#shared/contracts/billing/gifts.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'

function useClaimGift(token: string) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (accept: 'credit' | 'refund' | null) => invoke(claimGiftCall, { token, accept }),
    onSuccess: async () => {
      // Claiming can confirm the email address, so the session is refreshed.
      if (!user?.email_confirmed_at) await (await loadBackend()).auth.refreshSession()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['billing-overview'] }),
        queryClient.invalidateQueries({ queryKey: ['subscription'], refetchType: 'all' }),
      ])
    },
  })
}

type GiftClaimPageProps = {
  token: string
  /** Links to sign up and sign in. */
  signInOptions: (email: string) => ReactNode
}

/** The page behind a gift's link. Opening it claims nothing; that takes a tap. */
export function GiftClaimPage({ token, signInOptions }: GiftClaimPageProps) {
  const { user } = useSession()
  const query = useQuery(alwaysStaleQuery(['received-gift', token], receivedGiftCall, { token }))
  const claim = useClaimGift(token)
  if (claim.data) return <Claimed claimed={claim.data} />
  if (!query.data) return query.error ? <LinkError query={query} /> : <Skeleton className="h-64" />
  const gift = query.data
  if (gift.state !== 'open') return <Closed state={gift.state} />
  return (
    <div className="grid gap-6 wrap-anywhere">
      <p className="text-lg">
        {gift.recipientName}, <strong className="font-semibold">{gift.giverName || 'someone'}</strong> gave you{' '}
        {gift.months === 12 ? 'one year' : `${gift.months} months`} of {publication.name}, {publication.tagline}.
      </p>
      {gift.message && (
        <blockquote className="border-l-3 border-accent pl-4 whitespace-pre-line">{gift.message}</blockquote>
      )}
      <p className="text-muted">
        Claim it until {formatDay(gift.claimUntil)}, with an account under any address. You won’t be charged, now or
        when it ends.
      </p>
      {user ? <ClaimButton email={user.email ?? ''} claim={claim} /> : signInOptions(gift.recipientEmail)}
    </div>
  )
}

type Choice = { choice: 'credit' | 'refund'; amountCents: number; currency: string }

function ClaimButton({ email, claim }: { email: string; claim: ReturnType<typeof useClaimGift> }) {
  const { error, isPending, mutate } = claim
  const isPaying = error instanceof CallError && error.code === 'gift_already_paying'
  const choice = isPaying ? (error.body as Choice) : null
  return (
    <>
      <p className="text-muted">
        You’re signed in as <strong className="font-semibold text-ink">{email}</strong>.
      </p>
      {choice ? (
        <p role="status">
          {choice.choice === 'credit'
            ? `You already pay for a plan. The gift becomes a credit of ${formatMoney(choice.amountCents, choice.currency)}, which pays for your next renewals.`
            : 'You already pay for a plan, so you don’t need the gift. If you return it, the giver gets the money back.'}
        </p>
      ) : (
        <FormError>{error ? errorMessage(error) : null}</FormError>
      )}
      <div className="grid gap-3">
        <Button block pending={isPending} onClick={() => mutate(choice?.choice ?? null)}>
          {!choice ? 'Claim your gift' : choice.choice === 'credit' ? 'Take the credit' : 'Return the gift'}
        </Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          Use another account
        </Button>
      </div>
    </>
  )
}

function Claimed({ claimed: { outcome, accessUntil, creditCents, currency } }: { claimed: ClaimedGift }) {
  const text = {
    access: `Everything is open to you${accessUntil ? ` until ${formatDay(accessUntil)}` : ''}.`,
    credit: `${formatMoney(creditCents, currency)} of credit pays for your next renewals.`,
    refund: 'The giver gets the money back. Your own plan continues.',
  }[outcome]
  return (
    <div className="grid gap-8">
      <p role="status" className="text-lg">
        {text}
      </p>
      <ButtonLink to={outcome === 'access' ? '/portal' : '/account/billing'} block>
        {outcome === 'access' ? publication.labels.goToPortal : 'View your plan'}
      </ButtonLink>
    </div>
  )
}

function Closed({ state }: { state: Exclude<ReceivedGift['state'], 'open'> }) {
  const text = {
    claimed: 'This gift has been claimed. Each gift works only once.',
    over: 'The time to claim this gift is over. The giver gets the money back.',
    refunded: 'This gift was refunded, so it can’t be claimed anymore.',
  }[state]
  return (
    <div className="grid gap-8">
      <p role="status" className="text-lg">
        {text}
      </p>
      <ButtonLink to={state === 'claimed' ? '/portal' : '/'} variant="secondary" block>
        {state === 'claimed' ? publication.labels.goToPortal : 'Return to Home'}
      </ButtonLink>
    </div>
  )
}
