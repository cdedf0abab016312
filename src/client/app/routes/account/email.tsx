import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BlockedNote } from '#client/features/publishing/email-preferences/blocked-emails-note.tsx'
import { emailPreferencesQuery } from '#client/features/publishing/email-preferences/email-preferences.api.ts'
import { EmailPreferencesForm } from '#client/features/publishing/email-preferences/email-preferences-form.tsx'
import { callQuery } from '#client/lib/call-query.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { memberFeedCall } from '#shared/contracts/publishing/member-feed.ts'

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

/** The address of the member's own feed. A replacement ends the earlier one. */
const memberFeedQuery = callQuery(['member-feed'], memberFeedCall, {})

function useReplaceFeed() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => invoke(memberFeedCall, { replace: true }),
    onSuccess: (feed) => queryClient.setQueryData(memberFeedQuery.queryKey, feed),
  })
}

/** The member's own feed, for an app that reads feeds. */
function MemberFeed() {
  const { data } = useQuery(memberFeedQuery)
  const replace = useReplaceFeed()
  const handleReplace = () =>
    replace.mutate(undefined, {
      onSuccess: () => toast.success('Your feed has a new address. The old one no longer works.'),
      onError: (error) => toast.error('The address wasn’t replaced', { description: errorMessage(error) }),
    })
  return (
    <section aria-labelledby="member-feed" className="mt-16 grid max-w-2xl gap-3 border-t border-line pt-6">
      <h3 id="member-feed" className="display text-xl">
        Your feed
      </h3>
      <p className="text-muted">{ownWords`Every drop with all of its sections, in an app that reads feeds. The address is yours alone and works while you have access.`}</p>
      <input readOnly aria-label="Address of your feed" value={data?.url ?? ''} className={inputStyles} />
      <div>
        <Button variant="secondary" pending={replace.isPending} onClick={handleReplace}>
          Replace the address
        </Button>
      </div>
    </section>
  )
}
