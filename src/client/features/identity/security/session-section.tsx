import { queryOptions, useQuery } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { securityKey } from '#client/features/identity/auth/security-overview.api.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { Button } from '#client/ui/button.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { InlineLoadError } from '#client/ui/load-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { endSessionCall, listSessionsCall } from '#shared/contracts/identity/account-security.ts'
import { describeLocalAddress } from '#shared/domain/describe-local-address.ts'
import { useRefreshSecurity } from './security.api.ts'

function useSignOutElsewhere() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async () => {
      const { error } = await (await loadBackend()).auth.signOut({ scope: 'others' })
      if (error) throw error
    },
    onSuccess: refresh,
    done: 'All other devices are signed out',
    failure: 'We couldn’t sign out the other devices',
  })
}

function useEndSession() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (id: string) => {
      await invoke(endSessionCall, { id })
    },
    onSuccess: refresh,
    done: 'Session ended',
    failure: 'We couldn’t end the session',
  })
}

const sessionsQuery = queryOptions({
  queryKey: [...securityKey, 'sessions'],
  queryFn: async ({ signal }) => (await invoke(listSessionsCall, {}, signal)).sessions,
})

type Session = {
  id: string
  current: boolean
  device: string
  ip: string
  startedAt: string
  lastUsedAt: string
  secondFactor: boolean
}

const handhelds = /iphone|ipad|android|phone|mobile/i

export function SessionSection() {
  const { data: sessions, isError, refetch, isFetching } = useQuery(sessionsQuery)
  const everywhere = useSignOutElsewhere()
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <Section
      title="Where you’re signed in"
      status={sessions ? `${sessions.length} ${sessions.length === 1 ? 'device' : 'devices'}` : undefined}
      lede="Don’t recognize a device? End its session, then change your password."
    >
      {isError ? (
        <InlineLoadError retrying={isFetching} onRetry={refetch}>
          We couldn’t load your devices.
        </InlineLoadError>
      ) : !sessions ? (
        <Skeleton className="h-18" />
      ) : (
        <ItemList label="Sessions">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ItemList>
      )}
      {others > 0 && (
        <Button variant="secondary" className="mt-5" pending={everywhere.isPending} onClick={() => everywhere.mutate()}>
          Sign out all other devices
        </Button>
      )}
    </Section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const end = useEndSession()
  return (
    <ItemRow
      icon={handhelds.test(session.device) ? Smartphone : Laptop}
      title={
        <>
          {session.device}
          {session.current && <Tag tone="primary">This device</Tag>}
        </>
      }
      facts={
        <>
          Last used <Timestamp inline at={session.lastUsedAt} /> from{' '}
          {describeLocalAddress(session.ip) ?? (session.ip || 'an unknown IP address')}. Signed in{' '}
          <Timestamp inline at={session.startedAt} />
          {session.secondFactor && ', with two-step verification'}.
        </>
      }
      actions={
        !session.current && (
          <Button
            variant="quiet"
            size="sm"
            pending={end.isPending}
            aria-label={`End session: ${session.device}`}
            onClick={() => end.mutate(session.id)}
          >
            End
          </Button>
        )
      }
    />
  )
}
