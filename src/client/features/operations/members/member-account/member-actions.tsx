import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { memberQuery } from '../member-page.api.ts'
import { EditMemberDialog } from './edit-member-dialog.tsx'

type MemberActionsProps = { account: { id: string; emailConfirmed: boolean }; isOwner: boolean }

/** Actions on one member, at the top of the page. */
export function MemberActions({ account, isOwner }: MemberActionsProps) {
  const { data: member } = useQuery(memberQuery(account.id))
  const [open, setOpen] = useState<'edit' | null>(null)
  return (
    <>
      <Button variant="secondary" disabled={!member} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {open === 'edit' && member && (
        <EditMemberDialog
          member={member}
          emailConfirmed={account.emailConfirmed}
          isOwner={isOwner}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
