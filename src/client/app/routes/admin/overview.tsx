import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { adminUsersQuery } from '#client/features/admin/admin-users.api.ts'
import { NewestUsers } from '#client/features/admin/newest-users.tsx'
import { UserTotals } from '#client/features/admin/user-totals.tsx'
import { MailingAlerts } from '#client/features/newsletter/mailing-alerts.tsx'
import { PublishingAlerts } from '#client/features/publishing/publishing-alerts.tsx'
import { toast } from '#client/lib/toast.ts'
import { isMfaSetupRequired, LoadError } from '#client/ui/load-error.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Admin Dashboard" />
      <Dashboard />
    </>
  )
}

function Dashboard() {
  // Every page of users includes the totals, whatever the search.
  const users = useInfiniteQuery(adminUsersQuery(''))
  const failedAt = isMfaSetupRequired(users.error) ? 0 : users.errorUpdatedAt

  useEffect(() => {
    if (failedAt > 0) toast.error('Failed to load admin data', { id: 'admin-data' })
  }, [failedAt])

  if (users.isError && !users.data) {
    return <LoadError what="the dashboard" query={users} />
  }
  return (
    <>
      <MailingAlerts />
      <PublishingAlerts />
      <UserTotals totals={users.data?.pages[0]?.totals} />
      <NewestUsers />
    </>
  )
}
