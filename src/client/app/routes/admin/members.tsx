import { useSearchParams } from 'react-router'
import { UserList } from '#client/features/admin/user-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const [query] = useSearchParams()
  const search = query.get('search') ?? ''
  return (
    <>
      <PageHeading title="Members" />
      <UserList key={search} initialSearch={search} />
    </>
  )
}
