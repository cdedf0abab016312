import { MembersList } from '#client/features/operations/members/members-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Members" />
      <MembersList />
    </>
  )
}
