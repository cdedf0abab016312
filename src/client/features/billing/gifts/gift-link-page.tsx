import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { LinkError } from '#client/features/identity/auth/link-page-parts.tsx'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { CallError, errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { applyGiftLinkCall, giftLinkCall } from '#shared/contracts/billing/gift-links.ts'
import { formatDay } from '#shared/domain/format.ts'

function useGiftLink(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => invoke(applyGiftLinkCall, { token }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['billing-overview'] }),
        queryClient.invalidateQueries({ queryKey: ['subscription'], refetchType: 'all' }),
      ]),
  })
}

/** The page behind a gift link of the publisher. Opening it uses nothing; that takes a tap. */
export function GiftLinkPage({ token, signInOptions }: { token: string; signInOptions: ReactNode }) {
  const { user } = useSession()
  const query = useQuery(alwaysStaleQuery(['gift-link', token], giftLinkCall, { token }))
  const use = useGiftLink(token)
  if (use.data) return <Outcome text={`Everything is open to you until ${formatDay(use.data.accessUntil)}.`} isOpen />
  if (!query.data) return query.error ? <LinkError query={query} /> : <Skeleton className="h-64" />
  const { state, months, lastDay } = query.data
  // Those who used the link see until when, so they get the button.
  if (state !== 'open' && !user) {
    return (
      <Outcome text={state === 'ended' ? 'This gift link has ended.' : 'All gifts of this link have been claimed.'} />
    )
  }
  const length = months === 12 ? 'one year' : months === 1 ? 'one month' : `${months} months`
  return (
    <div className="grid gap-6">
      <p className="text-lg">
        We’re giving you {length} of {publication.name}, {publication.tagline}.
      </p>
      <p className="text-muted">
        Claim it by {formatDay(lastDay)}. You don’t need a card, and you won’t be charged when it ends.
      </p>
      {user ? <UseButton email={user.email ?? ''} use={use} /> : signInOptions}
    </div>
  )
}

function UseButton({ email, use }: { email: string; use: ReturnType<typeof useGiftLink> }) {
  const { error, isPending, mutate } = use
  const { pathname, hash } = useLocation()
  const isUnconfirmed = error instanceof CallError && error.code === 'address_not_confirmed'
  return (
    <>
      <p className="text-muted wrap-anywhere">
        You’re signed in as <strong className="font-semibold text-ink">{email}</strong>.
      </p>
      {isUnconfirmed ? (
        <p role="alert" className="wrap-anywhere">
          Confirm your email address first:{' '}
          <Link
            to="/auth/confirm"
            state={{ from: pathname + hash }}
            className="font-semibold text-primary underline underline-offset-4"
          >
            Enter the code
          </Link>{' '}
          that we sent to {email}, or open the link in that email and come back.
        </p>
      ) : (
        <FormError>{error ? errorMessage(error) : null}</FormError>
      )}
      <div className="grid gap-3">
        <Button block pending={isPending} onClick={() => mutate()}>
          Claim your gift
        </Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          Use another account
        </Button>
      </div>
    </>
  )
}

const Outcome = ({ text, isOpen = false }: { text: string; isOpen?: boolean }) => (
  <div className="grid gap-8">
    <p role="status" className="text-lg">
      {text}
    </p>
    <ButtonLink to={isOpen ? '/portal' : '/'} variant={isOpen ? 'primary' : 'secondary'} block>
      {isOpen ? publication.labels.goToPortal : 'Return to Home'}
    </ButtonLink>
  </div>
)
