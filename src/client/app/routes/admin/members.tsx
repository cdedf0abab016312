import { useState } from 'react'
import { AddMemberDialog } from '#client/features/operations/members/add-member-dialog.tsx'
import { MembersList } from '#client/features/operations/members/members-list.tsx'
import { Button } from '#client/ui/button.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      <PageHeading
        title="Members"
        aside={
          <Button variant="secondary" onClick={() => setIsAdding(true)}>
            Add member
          </Button>
        }
      />
      <MembersList />
      {isAdding && <AddMemberDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}
