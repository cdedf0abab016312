import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '#client/features/identity/account/account.api.ts'
import { AccountDetails } from '#client/features/identity/account/account-details.tsx'
import { EmailSection } from '#client/features/identity/account/email-section.tsx'
import { NameSection } from '#client/features/identity/account/name-section.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

export function Component() {
  const account = useQuery(accountQuery)
  return (
    <>
      {account.data ? (
        <div>
          <EmailSection user={account.data} />
          <NameSection user={account.data} />
          <AccountDetails user={account.data} />
        </div>
      ) : account.isError ? (
        <LoadError what="your account" query={account} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="w-48 max-w-full" />
          <SkeletonText lines={2} height="h-8" className="mt-2 max-w-96" />
          <Skeleton className="mt-5 h-11 w-40 max-w-full" />
          <Skeleton className="mt-16 h-44" />
        </LoadingPlaceholder>
      )}
    </>
  )
}
