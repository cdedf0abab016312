import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { memberFeedCall } from '#shared/contracts/publishing/member-feed.ts'

type FeedAddressProps = {
  label: string
  /** The feed's own address, or that of the calendar or podcast with the same token. */
  ending?: '.xml' | '.ics' | '.rss'
  /** Other buttons. */
  children?: (url: string) => ReactNode
}

/** The address of the member's own feed. A replacement ends the earlier one. */
export function FeedAddress({ label, ending = '.xml', children }: FeedAddressProps) {
  const { data } = useQuery(callQuery(['member-feed'], memberFeedCall, {}))
  const replace = useChange(memberFeedCall, {
    done: 'Your feed, calendar and podcast have a new address. The old one no longer works.',
    failure: 'The address wasn’t replaced',
  })
  const url = data?.url.replace(/\.xml$/, ending) ?? ''
  return (
    <>
      <input readOnly aria-label={label} value={url} className={inputStyles} />
      <div className="flex flex-wrap gap-2">
        {children?.(url)}
        <Button variant="secondary" pending={replace.isPending} onClick={() => replace.mutate({ replace: true })}>
          Replace the address
        </Button>
      </div>
    </>
  )
}
