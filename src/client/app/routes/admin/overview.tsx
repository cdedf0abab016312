import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { NewestUsers, newestUsersQuery } from '#client/features/operations/overview/newest-users.tsx'
import { OverviewBoard } from '#client/features/operations/overview/overview-board.tsx'
import { setupChecklistQuery } from '#client/features/operations/setup-checklist/setup-checklist.api.ts'
import { alwaysStaleQuery, callQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage, formErrorMessage } from '#client/lib/error-message.ts'
import { inWords, ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError } from '#client/ui/form.tsx'
import { isMfaSetupRequired, LoadError, QueryPlaceholder } from '#client/ui/loading.tsx'
import { CanOpenPage } from '#client/ui/page-link.tsx'
import { Disclosure, PageHeading } from '#client/ui/page-parts.tsx'
import { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'
import { adminStaffEmailsCall } from '#shared/contracts/operations/staff-emails.ts'
import { adminCreateMailingCall } from '#shared/contracts/publishing/mailings.ts'
import { staffEmailLabels } from '#shared/domain/staff-emails.ts'

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
  const create = useChange(adminCreateMailingCall)
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

const overviewQuery = alwaysStaleQuery(['admin-overview'], adminOverviewCall, {})

/** One line on the overview until everything is set up. */
function SetupLine() {
  const { data } = useQuery(setupChecklistQuery(false))
  // Keeps the place of the line, so that the page below doesn't move.
  if (!data) return <div className="mt-6 min-h-12" />
  const missing = data.items.filter(({ isDone }) => !isDone)
  const [first] = missing
  if (!first) return null
  return (
    <p className="mt-6 flex min-h-12 items-center border-l-3 border-accent bg-accent-soft px-4">
      <Link to="/admin/settings/start" className="text-link inline-flex min-h-11 items-center">
        {missing.length === 1
          ? `Before you go live: ${inWords(first.title)}`
          : `${missing.length} things to set up before you go live`}
      </Link>
    </p>
  )
}

const staffEmailsQuery = callQuery(['staff-emails'], adminStaffEmailsCall, {})

/** The emails that the person gets about the publication. Each choice is saved at once. */
function StaffEmails() {
  const emails = useQuery(staffEmailsQuery)
  const choose = useChange(adminStaffEmailsCall, { stores: staffEmailsQuery })
  if (!emails.data) return <QueryPlaceholder query={emails} what="your emails" lines={5} height="h-16" />
  const isOn = ({ kind, on }: (typeof emails.data.items)[number]) =>
    choose.isPending && choose.variables.save?.kind === kind ? choose.variables.save.on : on
  return (
    <div className="grid max-w-3xl gap-6 py-4">
      <ChoiceGroup
        legend="Email me about"
        hint="Only you get them: others on the staff choose for themselves. At most one email an hour about each."
      >
        {emails.data.items.map((item) => (
          <Choice
            key={item.kind}
            type="checkbox"
            name={item.kind}
            {...staffEmailLabels[item.kind]}
            checked={isOn(item)}
            onChange={({ target }) => choose.mutate({ save: { kind: item.kind, on: target.checked } })}
          />
        ))}
      </ChoiceGroup>
      <FormError>{formErrorMessage(choose.error)}</FormError>
      <p className="text-sm text-muted">{ownWords`Depending on your role, you always get alerts about what failed, such as a mailing, a scheduled drop or a backup.`}</p>
    </div>
  )
}
