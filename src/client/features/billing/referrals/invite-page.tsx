import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { GiftError } from '#client/features/billing/gifts/gift-error.tsx'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { acceptReferralCall, referralLinkCall } from '#shared/contracts/billing/referrals.ts'

/** The page behind a member's link. Opening it accepts nothing; that takes a tap. */
export function InvitePage({ token, signInOptions }: { token: string; signInOptions: ReactNode }) {
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
  if (!query.data) return query.error ? <GiftError query={query} /> : <Skeleton className="h-64" />
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
