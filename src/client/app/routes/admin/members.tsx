import { UserList } from '#client/features/admin/user-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Members" />
      <UserList />
    </>
  )
}
