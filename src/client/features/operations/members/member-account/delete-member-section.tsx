import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { adminDeleteMemberCall } from '#shared/contracts/operations/member-account.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { memberQuery } from '../member-page.api.ts'

type DeleteMemberSectionProps = { userId: string; isStaff: boolean; isSelf: boolean }

/** Deletes an account with all its data. For owners. */
export function DeleteMemberSection({ userId, isStaff, isSelf }: DeleteMemberSectionProps) {
  const { data: member } = useQuery(memberQuery(userId))
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section
      title="Delete this member"
      lede="Deletes the account and everything in it, and cancels the plan. It can’t be undone."
    >
      {isSelf ? (
        <p className="text-muted">This is your own account. You can delete it under Account.</p>
      ) : isStaff ? (
        <p className="text-muted">They belong to the staff. Remove them under Settings, Staff first.</p>
      ) : (
        <Button variant="secondary" disabled={!member} onClick={() => setIsOpen(true)}>
          Delete member
        </Button>
      )}
      {isOpen && member && <DeleteDialog member={member} onClose={() => setIsOpen(false)} />}
    </Section>
  )
}

/** Sentences about the consequences. */
function consequencesOf({ hasAccess, plan, renewsAt, unpaidSince, team, memberOf }: Member): string[] {
  const others = (team?.seats.taken ?? 1) - 1
  return [
    renewsAt || unpaidSince ? 'Their subscription ends now, without a refund, and they aren’t charged again.' : '',
    unpaidSince ? 'Their unpaid invoice is no longer collected.' : '',
    !renewsAt && !unpaidSince && hasAccess && plan ? 'Their plan ends now, without a refund.' : '',
    others > 0 ? `Their team ends: ${formatCount(others, 'other person loses', 'other people lose')} access.` : '',
    memberOf ? `Their seat in ${memberOf.ownerEmail}’s team becomes free.` : '',
    'Answers, saved items, notes and sessions are deleted. A confirmed address gets one email about it.',
    'What stays: payments and invoices at Stripe and in your revenue, counts of emails sent, and an entry in the staff log without the address.',
  ].filter((sentence) => sentence !== '')
}

function DeleteDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const navigate = useNavigate()
  const deletion = useChange(adminDeleteMemberCall, { done: 'Member deleted' })
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (deletion.isPending) return
    const typed = String(new FormData(event.currentTarget).get('email'))
    deletion.mutate(
      { userId: member.id, typedEmail: typed },
      { onSuccess: () => void navigate('/admin/members', { replace: true }) },
    )
  }
  return (
    <Dialog title="Delete this member?" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <ul aria-label="What happens" className="grid list-disc gap-1 pl-5 text-muted">
          {consequencesOf(member).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <TextField
          label={`Type ${member.email} to delete it`}
          name="email"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <FormError>{formErrorMessage(deletion.error)}</FormError>
        <FormActions action="Delete member" variant="danger" pending={deletion.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
