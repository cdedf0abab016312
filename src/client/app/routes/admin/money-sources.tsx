import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { SourcesSection } from '#client/features/publishing/visits/sources-section.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Sources" />
      <SourcesSection canOpenMembers={role === 'owner'} />
    </>
  )
}
