import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { unsubscribePageQuery } from '#client/features/publishing/email-preferences/email-preferences.api.ts'
import { UnsubscribeCard } from '#client/features/publishing/email-preferences/unsubscribe-card.tsx'
import { isTransient } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'

/** The unsubscribe link in an email opens this page. It needs no sign-in, and opening it changes nothing. */
export function Component() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  return (
    <AuthFrame title="Unsubscribe" back={{ to: '/', label: 'Back to home' }}>
      {token ? <ByLink token={token} /> : <NoLink />}
    </AuthFrame>
  )
}

function ByLink({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(unsubscribePageQuery(token))
  if (data && data.address === '') {
    return <p className="text-lg">This account was deleted. You won’t receive any more emails at this address.</p>
  }
  if (data) return <UnsubscribeCard token={token} page={data} />
  if (!error) {
    return (
      <LoadingPlaceholder>
        <SkeletonText lines={3} height="h-7" />
        <Skeleton className="mt-8 h-48" />
      </LoadingPlaceholder>
    )
  }
  if (!isTransient(error)) return <NoLink />
  return (
    <div className="grid gap-8">
      <p role="alert" className="text-lg">
        {errorMessage(error)}
      </p>
      <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}

function NoLink() {
  return (
    <div className="grid gap-8">
      <p className="text-lg">
        This link doesn’t work. It’s incomplete, or it comes from a test email. You can manage your email preferences in
        your account.
      </p>
      <ButtonLink to="/account/email" block>
        Manage email preferences
      </ButtonLink>
    </div>
  )
}
