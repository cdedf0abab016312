import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { adminUsersQuery } from '#client/features/admin/admin-users.api.ts'
import { UserList } from '#client/features/admin/user-list.tsx'
import { UserTotals } from '#client/features/admin/user-totals.tsx'
import { toast } from '#client/lib/toast.ts'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { MembersFrame } from '../layouts/members-layout.tsx'
import { LoadError } from './portal/load-error.tsx'

export function Component() {
  return (
    <MembersFrame>
      <PageHeading title="Admin Dashboard" />
      <Dashboard />
    </MembersFrame>
  )
}

function Dashboard() {
  // The totals come with every page of users and do not depend on the search.
  const users = useInfiniteQuery(adminUsersQuery(''))
  const failedAt = users.errorUpdatedAt

  useEffect(() => {
    if (failedAt > 0) toast.error('Failed to load admin data', { id: 'admin-data' })
  }, [failedAt])

  if (users.isError && !users.data) {
    return (
      <LoadError
        error={users.error}
        what="the dashboard"
        onRetry={() => void users.refetch()}
        retrying={users.isFetching}
      />
    )
  }
  return (
    <>
      <UserTotals totals={users.data?.pages[0]?.totals} />
      <UserList />
    </>
  )
}
