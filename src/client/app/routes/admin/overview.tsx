import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { NewestUsers, newestUsersQuery } from '#client/features/operations/overview/newest-users.tsx'
import { overviewQuery } from '#client/features/operations/overview/overview.api.ts'
import { OverviewBoard } from '#client/features/operations/overview/overview-board.tsx'
import { SetupLine } from '#client/features/operations/setup-checklist/setup-line.tsx'
import { StaffEmails } from '#client/features/operations/staff-emails/staff-emails.tsx'
import { useCreateMailing } from '#client/features/publishing/mailings/mailings.api.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { isMfaSetupRequired, LoadError } from '#client/ui/load-error.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { CanOpenPage } from '#client/ui/page-link.tsx'

export function Component() {
  const canOpen = useContext(CanOpenPage)
  return (
    <>
      <PageHeading title="Admin Dashboard" />
      {canOpen('/admin/settings/start') && <SetupLine />}
      <Overview canSeeMembers={canOpen('/admin/members')} />
      <YourEmails />
    </>
  )
}

/** Opened by the link in the emails. */
function YourEmails() {
  const { hash } = useLocation()
  return (
    <section id="your-emails" className="mt-12 border-t border-line pt-4">
      <Disclosure summary={<h2>Your emails</h2>} defaultOpen={hash === '#your-emails'}>
        <StaffEmails />
      </Disclosure>
    </section>
  )
}

function Overview({ canSeeMembers }: { canSeeMembers: boolean }) {
  const overview = useQuery(overviewQuery)
  const users = useQuery({ ...newestUsersQuery, enabled: canSeeMembers })
  const navigate = useNavigate()
  const create = useCreateMailing()
  const prepare = (issueId: string) =>
    create.mutate(
      { kind: 'issue', issueId },
      {
        onSuccess: ({ id }) => navigate(`/admin/newsletter/${id}`),
        onError: (error) => toast.error(errorMessage(error)),
      },
    )
  const pendingId = create.isPending && create.variables.kind === 'issue' ? create.variables.issueId : null
  const failedAt = Math.max(
    isMfaSetupRequired(overview.error) ? 0 : overview.errorUpdatedAt,
    isMfaSetupRequired(users.error) ? 0 : users.errorUpdatedAt,
  )

  useEffect(() => {
    if (failedAt > 0) toast.error('Failed to load admin data', { id: 'admin-data' })
  }, [failedAt])

  if (overview.isError && !overview.data) return <LoadError what="the dashboard" query={overview} />
  const { data } = overview
  return (
    <>
      <OverviewBoard overview={data} prepareEmail={{ pendingId, prepare }} />
      {canSeeMembers && <NewestUsers />}
    </>
  )
}
