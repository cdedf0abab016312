import { StaffPage } from '#client/features/staff/staff-page.tsx'
import { useSession } from '#client/lib/session.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const { user } = useSession()
  return (
    <>
      <PageHeading title="Staff" />
      <StaffPage ownUserId={user?.id ?? ''} />
    </>
  )
}
