import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { callQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { InlineLoadError, Skeleton } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  endConnectionCall,
  type ListedConnection,
  listConnectionsCall,
} from '#shared/contracts/identity/connections.ts'
import { connectionRights } from '#shared/domain/connection-rights.ts'

const connectionsQuery = callQuery(['connections'], listConnectionsCall, {}, { refetchOnWindowFocus: 'always' })

/** The assistants that use the account. */
export function Component() {
  const { data, isError, isFetching, refetch } = useQuery(connectionsQuery)
  return (
    <div>
      <Section
        title="Connected assistants"
        lede="Don’t recognize one? Disconnect it, then change your password. Changing your password disconnects all of them."
      >
        {isError ? (
          <InlineLoadError retrying={isFetching} onRetry={refetch}>
            We couldn’t load your assistants.
          </InlineLoadError>
        ) : !data ? (
          <Skeleton className="h-18" />
        ) : data.connections.length === 0 ? (
          <p className="text-muted">No assistants connected.</p>
        ) : (
          <ItemList label="Connected assistants">
            {data.connections.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} />
            ))}
          </ItemList>
        )}
      </Section>
      <Section
        title="Connect an assistant"
        lede="Add this address as a connector or MCP server in your assistant, then sign in here when it asks."
      >
        <CopyableText text={`${location.origin}/mcp`} what="address" />
      </Section>
    </div>
  )
}

function ConnectionRow({ connection }: { connection: ListedConnection }) {
  const { id, name, publishedBy, rights, connectedAt, lastUsedAt } = connection
  const shownName = name || 'Assistant without a name'
  const end = useChange(endConnectionCall, {
    done: `${shownName} is disconnected`,
    failure: 'We couldn’t disconnect the assistant',
  })
  return (
    <ItemRow
      icon={Bot}
      title={shownName}
      facts={
        <>
          {publishedBy && `From ${publishedBy}. `}
          {lastUsedAt ? (
            <>
              Last used <Timestamp inline at={lastUsedAt} />.
            </>
          ) : (
            'Not used yet.'
          )}{' '}
          Connected <Timestamp inline at={connectedAt} />.
        </>
      }
      actions={
        <Button
          variant="quiet"
          size="sm"
          pending={end.isPending}
          aria-label={`Disconnect: ${shownName}`}
          onClick={() => end.mutate({ id })}
        >
          Disconnect
        </Button>
      }
    >
      <ul className="list-disc pl-5 text-sm text-muted">
        {connectionRights
          .filter(({ right }) => rights.includes(right))
          .map(({ right, label }) => (
            <li key={right}>{label}</li>
          ))}
      </ul>
    </ItemRow>
  )
}
