import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminEndMemberSessionsCall, adminMemberSessionsCall } from '#shared/contracts/operations/member-page.ts'

/** Where a member is signed in. Staff end one session or all. */
export function MemberSessions({ userId }: { userId: string }) {
  const query = useQuery(alwaysStaleQuery(['admin-member-sessions', userId], adminMemberSessionsCall, { userId }))
  const end = useChange(adminEndMemberSessionsCall, { done: 'Signed out', failure: 'They weren’t signed out' })
  /** Null: every session. */
  const [asked, setAsked] = useState<{ sessionId: string | null } | null>(null)
  const sessions = query.data?.sessions
  return (
    <Section title="Signed-in devices">
      {sessions?.length === 0 && <p className="text-muted">They aren’t signed in anywhere.</p>}
      {sessions && sessions.length > 0 && (
        <div className="grid gap-5">
          <ItemList label="Signed-in devices">
            {sessions.map(({ id, device, ip, lastUsedAt }) => (
              <ItemRow
                key={id}
                icon={MonitorSmartphone}
                title={device}
                facts={
                  <>
                    {ip && `${ip}, `}last used <Timestamp inline at={lastUsedAt} />
                  </>
                }
                actions={
                  <Button variant="quiet" size="sm" onClick={() => setAsked({ sessionId: id })}>
                    Sign out
                  </Button>
                }
              />
            ))}
          </ItemList>
          <p>
            <Button variant="secondary" pending={end.isPending} onClick={() => setAsked({ sessionId: null })}>
              Sign out everywhere
            </Button>
          </p>
        </div>
      )}
      {!sessions && (query.isError ? <LoadError what="the devices" query={query} /> : <SkeletonText lines={2} />)}
      {asked && (
        <ConfirmDialog
          title={asked.sessionId ? 'Sign out this device?' : 'Sign out everywhere?'}
          action="Sign out"
          keep="Cancel"
          onConfirm={() => end.mutate({ userId, sessionId: asked.sessionId })}
          onClose={() => setAsked(null)}
        >
          It takes effect at once. They can sign in again, and see in their account that you did this.
        </ConfirmDialog>
      )}
    </Section>
  )
}
