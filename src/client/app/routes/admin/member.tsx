import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { ViewAsButton } from '#client/features/identity/view-as/view-as-button.tsx'
import { adminUserQuery } from '#client/features/operations/admin/admin-user.api.ts'
import { UserAccount } from '#client/features/operations/admin/user-account.tsx'
import { userSupportQuery } from '#client/features/operations/admin/user-support.api.ts'
import { DeleteMemberSection } from '#client/features/operations/members/member-account/delete-member-section.tsx'
import { MemberActions } from '#client/features/operations/members/member-account/member-actions.tsx'
import { MemberDataSection } from '#client/features/operations/members/member-account/member-data-section.tsx'
import { MemberPlanSection } from '#client/features/operations/members/member-account/member-plan-section.tsx'
import { MemberBillingSection } from '#client/features/operations/members/member-billing.tsx'
import { MemberNewsletters } from '#client/features/operations/members/member-newsletters.tsx'
import { MemberNotes } from '#client/features/operations/members/member-notes.tsx'
import { MemberOverview } from '#client/features/operations/members/member-overview.tsx'
import { MemberSessions } from '#client/features/operations/members/member-sessions.tsx'
import { MemberFacts } from '#client/features/operations/members/member-summary.tsx'
import { MemberTags } from '#client/features/operations/members/member-tags.tsx'
import { MemberTimeline } from '#client/features/operations/members/member-timeline.tsx'
import { PersonalEmailSection } from '#client/features/operations/members/personal-email/personal-email-section.tsx'
import { MemberFields } from '#client/features/reader/custom-fields/member-fields.tsx'
import { CallError } from '#client/lib/call-error.ts'
import { useSession } from '#client/lib/session.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'

/** Loaded with the form, which most never open. */
const MarkdownField = lazy(() =>
  import('#client/features/publishing/documents/markdown-field.tsx').then((module) => ({
    default: module.MarkdownField,
  })),
)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function Component() {
  const { id = '' } = useParams()
  const { user: self } = useSession()
  const { role } = useStaffRole()
  const user = useQuery({ ...adminUserQuery(id), enabled: uuid.test(id) })
  const { data: support } = useQuery({ ...userSupportQuery(id), enabled: user.isSuccess })
  usePageTitle(user.data?.email)
  const isGone = !uuid.test(id) || (user.error instanceof CallError && user.error.status === 404)
  return (
    <>
      <BackLink to="/admin/members">All members</BackLink>
      <PageHeading title={user.data ? <Address email={user.data.email} /> : 'Member'} className="mb-8" />
      {user.data ? (
        <>
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-8">
            <MemberOverview account={user.data} support={support} />
            <div className="flex flex-wrap gap-3">
              <MemberActions key={`actions-${id}`} account={user.data} isOwner={role === 'owner'} />
              {!user.data.isAdmin && !user.data.disabled && <ViewAsButton key={id} userId={id} />}
            </div>
          </div>
          <UserAccount user={user.data} isSelf={user.data.id === self?.id} facts={<MemberFacts key={id} userId={id} />}>
            {role === 'owner' && <MemberPlanSection key={`plan-${id}`} userId={id} />}
            {role === 'owner' && <MemberBillingSection key={`billing-${id}`} userId={id} />}
            <MemberNotes key={`notes-${id}`} userId={id} />
            <MemberTags key={`tags-${id}`} userId={id} />
            <MemberFields key={`fields-${id}`} userId={id} />
            <MemberNewsletters key={`newsletters-${id}`} userId={id} />
            <PersonalEmailSection
              key={`personal-email-${id}`}
              userId={id}
              renderText={(field) => (
                <Suspense fallback={<SkeletonText lines={6} />}>
                  <MarkdownField {...field} withBlocks={false} />
                </Suspense>
              )}
            />
            <MemberTimeline key={`timeline-${id}`} userId={id} />
            <MemberSessions key={`sessions-${id}`} userId={id} />
          </UserAccount>
          {role === 'owner' && (
            <>
              <MemberDataSection key={`data-${id}`} userId={id} />
              <DeleteMemberSection
                key={`delete-${id}`}
                userId={id}
                isStaff={user.data.isAdmin}
                isSelf={user.data.id === self?.id}
              />
            </>
          )}
        </>
      ) : isGone ? (
        <EmptyState title="Account not found">
          It may have been deleted. Check the staff log for its history.
        </EmptyState>
      ) : (
        <QueryPlaceholder query={user} what="the account" lines={8} height="h-11" />
      )}
    </>
  )
}

/** A long address breaks before its @ rather than in the middle of a word. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <span className="[overflow-wrap:anywhere]">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at) || 'No address'}
    </span>
  )
}
