import { StaffPage } from '#client/features/identity/staff/staff-page.tsx'
import { useSession } from '#client/lib/session.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const { user } = useSession()
  return (
    <>
      <PageHeading title="Staff" />
      <div className="pt-6 sm:pt-8">
        <StaffPage ownUserId={user?.id ?? ''} />
      </div>
    </>
  )
}
