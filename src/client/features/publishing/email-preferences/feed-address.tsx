import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callQuery, invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/form.tsx'
import { memberFeedCall } from '#shared/contracts/publishing/member-feed.ts'

/** The address of the member's own feed. A replacement ends the earlier one. */
const memberFeedQuery = callQuery(['member-feed'], memberFeedCall, {})

function useReplaceFeed() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => invoke(memberFeedCall, { replace: true }),
    onSuccess: (feed) => queryClient.setQueryData(memberFeedQuery.queryKey, feed),
  })
}

type FeedAddressProps = {
  label: string
  /** The feed's own address, or that of the calendar with the same token. */
  ending?: '.xml' | '.ics'
  /** Other buttons. */
  children?: (url: string) => ReactNode
}

export function FeedAddress({ label, ending = '.xml', children }: FeedAddressProps) {
  const { data } = useQuery(memberFeedQuery)
  const replace = useReplaceFeed()
  const handleReplace = () =>
    replace.mutate(undefined, {
      onSuccess: () => toast.success('Your feed has a new address. The old one no longer works.'),
      onError: (error) => toast.error('The address wasn’t replaced', { description: errorMessage(error) }),
    })
  const url = data?.url.replace(/\.xml$/, ending) ?? ''
  return (
    <>
      <input readOnly aria-label={label} value={url} className={inputStyles} />
      <div className="flex flex-wrap gap-2">
        {children?.(url)}
        <Button variant="secondary" pending={replace.isPending} onClick={handleReplace}>
          Replace the address
        </Button>
      </div>
    </>
  )
}
