import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { saveJson } from '#client/lib/save-file.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import {
  type AdminUserFacts,
  adminDeleteMemberCall,
  adminExportMemberCall,
  adminSetDisabledCall,
} from '#shared/contracts/operations/member-account.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { accountQuery, memberQuery } from './member.api.ts'

/** Disables or enables the account. */
export function DisableMember({ userId }: { userId: string }) {
  const { data: user } = useQuery(accountQuery(userId))
  const { user: self } = useSession()
  const [open, setOpen] = useState(false)
  if (!user) return null
  const verb = user.disabled ? 'Enable' : 'Disable'
  return (
    <Section
      title={user.disabled ? 'Enable this account' : 'Disable this account'}
      lede={
        user.disabled
          ? 'They can sign in again and find everything as it was. Earlier sessions stay signed out.'
          : 'Signs them out everywhere and blocks sign-in. Their data and subscription stay as they are. To stop charging them, cancel the plan.'
      }
    >
      {userId === self?.id ? (
        <p className="text-muted">This is your own account. Another admin can disable it.</p>
      ) : open ? (
        <ReasonForm user={user} verb={verb} onClose={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)}>
          {verb} account
        </Button>
      )}
    </Section>
  )
}

type ReasonFormProps = { user: AdminUserFacts; verb: 'Enable' | 'Disable'; onClose: () => void }

function ReasonForm({ user, verb, onClose }: ReasonFormProps) {
  const change = useChange(adminSetDisabledCall, {
    onSuccess: ({ disabled }) => {
      toast.success(disabled ? 'Account disabled' : 'Account enabled', { id: 'disabled' })
      onClose()
    },
  })
  const handleSubmit = submitHandler(change, (text) =>
    change.mutate({ userId: user.id, disabled: !user.disabled, reason: text('reason') || null }),
  )
  return (
    <Panel label={`${verb} account`}>
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        <TextField
          label="Reason"
          name="reason"
          hint="Optional. You and other admins see it in the staff log."
          maxLength={300}
          autoComplete="off"
          autoFocus
        />
        <FormActions
          action={`${verb} account`}
          variant={user.disabled ? 'primary' : 'danger'}
          change={change}
          onCancel={onClose}
        />
      </form>
    </Panel>
  )
}

/** Answers a data request. For owners. */
export function MemberData({ userId }: { userId: string }) {
  const download = useChange(adminExportMemberCall, {
    onSuccess: saveJson,
    failure: 'We couldn’t create the file',
    done: 'The file is ready',
  })
  return (
    <Section
      title="Data request"
      lede="One JSON file with everything stored about this member, without passwords, keys, or codes. They get an email about it."
    >
      <Button variant="secondary" pending={download.isPending} onClick={() => download.mutate({ userId })}>
        Download their data
      </Button>
    </Section>
  )
}

/** Deletes the account with all its data. For owners. */
export function DeleteMember({ userId }: { userId: string }) {
  const { data: user } = useQuery(accountQuery(userId))
  const { data: member } = useQuery(memberQuery(userId))
  const { user: self } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section
      title="Delete this member"
      lede="Deletes the account and everything in it, and cancels the plan. It can’t be undone."
    >
      {userId === self?.id ? (
        <p className="text-muted">This is your own account. You can delete it under Account.</p>
      ) : user?.isAdmin ? (
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
  const handleSubmit = submitHandler(deletion, (_text, form) =>
    deletion.mutate(
      { userId: member.id, typedEmail: String(form.get('email')) },
      { onSuccess: () => void navigate('/admin/members', { replace: true }) },
    ),
  )
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
        <FormActions action="Delete member" variant="danger" change={deletion} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
