import { Outlet } from 'react-router'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { useSession } from '#client/lib/session.ts'
import { LoadingPage } from '../loading-page.tsx'
import { MembersFrame } from './members-layout.tsx'
import { SiteFrame } from './site-frame.tsx'
import { SiteNav } from './site-layout.tsx'

/** Pages of the portal that visitors can read too. Signed-in users keep their tabs. */
export function Component() {
  const { status } = useSession()
  const pendingMfa = usePendingMfa()
  if (status === 'loading') return <LoadingPage />
  if (status === 'signed-in' && pendingMfa === 'none') {
    return (
      <MembersFrame>
        <Outlet />
      </MembersFrame>
    )
  }
  return (
    <SiteFrame nav={<SiteNav />}>
      <div className="page min-h-dvh pb-16 print:min-h-0 print:pb-0">
        <Outlet />
      </div>
    </SiteFrame>
  )
}
