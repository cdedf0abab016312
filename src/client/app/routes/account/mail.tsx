import { useQuery } from '@tanstack/react-query'
import { BlockedNote } from '#client/features/mail/blocked-note.tsx'
import { mailPreferencesQuery } from '#client/features/mail/mail.api.ts'
import { MailPreferencesForm } from '#client/features/mail/mail-preferences-form.tsx'
import { useSession } from '#client/lib/session.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

export function Component() {
  const { user } = useSession()
  const { data, error, isFetching, refetch } = useQuery(mailPreferencesQuery)
  return (
    <>
      <h2 className="sr-only">Mail</h2>
      {data ? (
        <>
          {data.blocked.length > 0 && <BlockedNote blocked={data.blocked} email={user?.email ?? ''} />}
          <MailPreferencesForm saved={data} />
        </>
      ) : error ? (
        <LoadError what="your choices" query={{ error, isFetching, refetch }} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="w-48" />
          <div className="mt-4 grid gap-3">
            {[1, 2, 3].map((tile) => (
              <Skeleton key={tile} className="h-20" />
            ))}
          </div>
          <Skeleton className="mt-16 h-20" />
        </LoadingPlaceholder>
      )}
    </>
  )
}
