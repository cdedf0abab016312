import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Fragment } from 'react'
import { useParams } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { accountQuery } from '#client/features/operations/members/member.api.ts'
import { MemberAccess } from '#client/features/operations/members/member-access.tsx'
import { MemberAccount } from '#client/features/operations/members/member-account.tsx'
import { MemberActions } from '#client/features/operations/members/member-actions.tsx'
import { DeleteMember, DisableMember, MemberData } from '#client/features/operations/members/member-closing.tsx'
import { MemberNewsletters } from '#client/features/operations/members/member-newsletters.tsx'
import { MemberNotes } from '#client/features/operations/members/member-notes.tsx'
import { MemberOverview } from '#client/features/operations/members/member-overview.tsx'
import { MemberPayments } from '#client/features/operations/members/member-payments.tsx'
import { MemberPlan } from '#client/features/operations/members/member-plan.tsx'
import { MemberSessions } from '#client/features/operations/members/member-sessions.tsx'
import { MemberSupport } from '#client/features/operations/members/member-support.tsx'
import { MemberTags } from '#client/features/operations/members/member-tags.tsx'
import { MemberTimeline } from '#client/features/operations/members/member-timeline.tsx'
import { MergeMember } from '#client/features/operations/members/merge-member.tsx'
import { PersonalEmails } from '#client/features/operations/members/personal-emails.tsx'
import { MemberFields } from '#client/features/reader/custom-fields/member-fields.tsx'
import { CallError } from '#client/lib/error-message.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading } from '#client/ui/page-parts.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'

type SectionComponent = ComponentType<{ userId: string }>

const forOwners = (Section: SectionComponent): SectionComponent =>
  function OwnersSection(props) {
    const { role } = useStaffRole()
    return role === 'owner' ? <Section {...props} /> : null
  }

type SectionGroup = { title: string; sections: readonly SectionComponent[]; isFolded?: boolean }

/** Each section loads what it shows. What staff look for most is first, what they rarely need is folded. */
const groups: readonly SectionGroup[] = [
  { title: 'Account', sections: [MemberSupport, MemberAccount] },
  { title: 'Plan and payments', sections: [forOwners(MemberPlan), forOwners(MemberPayments), MemberAccess] },
  { title: 'Notes and fields', sections: [MemberNotes, MemberTags, MemberFields] },
  { title: 'Emails', sections: [MemberNewsletters, PersonalEmails] },
  { title: 'Activity', sections: [MemberTimeline, MemberSessions] },
  {
    title: 'Merge or close the account',
    sections: [MergeMember, DisableMember, forOwners(MemberData), forOwners(DeleteMember)],
    isFolded: true,
  },
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function Component() {
  const { id = '' } = useParams()
  const account = useQuery({ ...accountQuery(id), enabled: uuid.test(id) })
  usePageTitle(account.data?.email)
  const isGone = !uuid.test(id) || (account.error instanceof CallError && account.error.status === 404)
  return (
    <>
      <BackLink to="/admin/members">All members</BackLink>
      <PageHeading title={account.data ? <Address email={account.data.email} /> : 'Member'} className="mb-8" />
      {account.data ? (
        <Fragment key={id}>
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-8">
            <MemberOverview userId={id} />
            <MemberActions userId={id} />
          </div>
          {groups.map(({ isFolded, ...group }) =>
            isFolded ? (
              <Disclosure
                key={group.title}
                summary={<h2 className="display text-2xl">{group.title}</h2>}
                defaultOpen={account.data.disabled}
                className="border-t-2 border-ink py-2"
              >
                <Sections {...group} userId={id} />
              </Disclosure>
            ) : (
              <div
                key={group.title}
                className="gap-x-10 border-t-2 border-ink pt-4 xl:grid xl:grid-cols-[11rem_minmax(0,1fr)]"
              >
                <h2 className="display text-2xl">{group.title}</h2>
                <Sections {...group} userId={id} />
              </div>
            ),
          )}
        </Fragment>
      ) : isGone ? (
        <EmptyState title="Account not found">
          It may have been deleted. Check the staff log for its history.
        </EmptyState>
      ) : (
        <QueryPlaceholder query={account} what="the account" lines={8} height="h-11" />
      )}
    </>
  )
}

const Sections = ({ sections, userId }: Pick<SectionGroup, 'sections'> & { userId: string }) => (
  <div className="min-w-0 pt-6 pb-4 xl:col-start-2 xl:pt-1">
    {sections.map((Section, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is constant
      <Section key={index} userId={userId} />
    ))}
  </div>
)

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
