import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { BlockedNote } from '#client/features/publishing/email-preferences/blocked-emails-note.tsx'
import { emailPreferencesQuery } from '#client/features/publishing/email-preferences/email-preferences.api.ts'
import { EmailPreferencesForm } from '#client/features/publishing/email-preferences/email-preferences-form.tsx'
import { FeedAddress } from '#client/features/publishing/email-preferences/feed-address.tsx'
import { ownWords } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { LoadError, LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'

const PodcastSection = lazy(() => import('#client/features/publishing/email-preferences/podcast-section.tsx'))
const PushSection = lazy(() => import('#client/features/reader/push/push-section.tsx'))

export function Component() {
  const { user } = useSession()
  const { data, error, isFetching, refetch } = useQuery(emailPreferencesQuery)
  return (
    <>
      {data ? (
        <>
          {data.blocked.length > 0 && (
            <BlockedNote blocked={data.blocked} newsletters={data.newsletters} email={user?.email ?? ''} />
          )}
          <EmailPreferencesForm saved={data} />
          {data.hasAccess && <MemberFeed />}
          {data.hasAccess && (
            <Suspense>
              <PodcastSection />
              <PushSection />
            </Suspense>
          )}
        </>
      ) : error ? (
        <LoadError what="your email preferences" query={{ error, isFetching, refetch }} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="w-48 max-w-full" />
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

/** The member's own feed, for an app that reads feeds. */
function MemberFeed() {
  return (
    <section aria-labelledby="member-feed" className="mt-16 grid max-w-2xl gap-3 border-t border-line pt-6">
      <h3 id="member-feed" className="display text-xl">
        Your feed
      </h3>
      <p className="text-muted">{ownWords`Every drop with all of its sections, in an app that reads feeds. The address is yours alone and works while you have access.`}</p>
      <FeedAddress label="Address of your feed" />
    </section>
  )
}
